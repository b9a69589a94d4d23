/** What members decide, as merchants read it after the name of the member. */
export const MEMBER_ACTIONS = {
  review_released: 'approved the commission',
  review_rejected: 'rejected the commission',
  commission_voided: 'voided the commission',
  void_undone: 'restored the voided commission',
  credited_by_hand: 'credited the sale manually',
  moved_by_hand: 'moved the sale to another partner',
  adjustment_undone: 'undid the adjustment of the sale',
} as const
export type MemberReason = keyof typeof MEMBER_ACTIONS

/** The same as partners read it after "The program". */
export const PROGRAM_ACTIONS = {
  ...MEMBER_ACTIONS,
  review_released: 'reviewed and approved the commission',
  review_rejected: 'reviewed and rejected the commission',
  adjustment_undone: 'undid its adjustment of the sale',
} as const

/** Every reason code with its sentence for merchants. Each must also read well after "because". */
export const REASONS = {
  // Leads
  lead_settled: 'Your server sent the lead with a valid click.',
  lead_settled_in_browser: 'The browser sent the lead with a valid click, and the program accepts browser leads.',
  lead_settled_by_payment: 'The payment processor reported a payment by this customer with a valid click.',
  second_customer: 'This customer came from the same click as an earlier one.',
  lead_settled_by_code: 'Your server sent the lead with a promotion code of the partner.',
  lead_provisional: 'Only the browser has reported the lead, and this program requires leads from your server.',
  // Which partner a sale is credited to
  bound_customer: 'The partner referred this customer, and customers stay with the partner who referred them.',
  valid_click: 'The sale was sent with a click within the attribution window.',
  credited_late: 'The customer clicked before the sale and became a lead after it.',
  customer_unknown: 'No lead was reported for this customer before the sale.',
  click_not_found: 'No click in this program has the click ID that the sale was sent with.',
  click_expired: 'The sale’s click was outside the attribution window.',
  no_click_before_sale: 'The customer became a lead later, but had not clicked a link before the sale.',
  code_used: 'The customer paid with a promotion code of the partner.',
  code_unknown: 'The promotion code belonged to no partner of this program at the time.',
  code_disabled: 'The promotion code was disabled at the time.',
  code_pending: 'The payment processor named the promotion code only by an ID, and has not reported its text yet.',
  partner_not_approved: 'The partner who owns the promotion code was not approved.',
  existing_customer: 'The customer had paid before they used the promotion code.',
  // What a lead or sale earns
  commission_earned: 'The reward terms at the time pay for it.',
  no_terms: 'The program had no reward terms at the time.',
  no_reward_for_leads: 'The reward terms at the time did not pay for leads.',
  no_reward_for_sales: 'The reward terms at the time did not pay for sales.',
  lead_already_rewarded:
    'A lead with this customer key earned a commission before the customer’s personal data was erased.',
  not_the_first_sale: 'The reward terms pay only for a customer’s first sale.',
  reward_period_over: 'The reward period after the customer’s first sale had ended.',
  no_rule_matches: 'No rule of the reward terms at the time matches what was sold.',
  rule_pays_nothing: 'The first rule that matches what was sold pays nothing.',
  flat_in_other_currency: 'The rule pays a flat amount in a different currency than the sale.',
  maximum_reached: 'Earlier sales of the customer have reached the maximum that the rule pays.',
  rounds_to_zero: 'The commission on such a small amount rounds to zero.',
  customer_is_partner: 'The customer appears to be the partner.',
  click_from_ad: 'The credited click came from an ad, and the program reviews such sales.',
  sale_soon_after_click: 'The sale followed the click sooner than the program accepts without a review.',
  many_leads_from_one_visitor: 'Many leads came from the same visitor on one day.',
  unverified_customer: 'Only a browser has reported the lead; neither your server nor a payment has confirmed it yet.',
  customer_confirmed: 'Your server or the payment processor confirmed that the lead came from this partner’s click.',
  partner_suspended: 'The partner was suspended or rejected.',
  // Reversals
  refund_reversed_part: 'Part of the sale was refunded.',
  refund_reversed_all: 'The whole sale was refunded.',
  refund_before_credit: 'The sale was refunded before it was credited.',
  refund_without_commission: 'The refunded sale had earned no commission, so there was nothing to reverse.',
  refund_nothing_left: 'The sale was refunded, but its commission had already been reversed in full.',
  dispute_opened: 'The customer disputed the payment, so the commission is not payable until the dispute is decided.',
  dispute_won: 'The dispute was won, so the commission was restored.',
  dispute_won_others_open: 'This dispute was won, but another dispute over the same sale is still open.',
  dispute_lost: 'The dispute was lost, so the commission was reversed.',
  dispute_without_commission: 'The disputed sale had earned no commission, so nothing changed.',
  review_released: `A member ${MEMBER_ACTIONS.review_released}.`,
  review_rejected: `A member ${MEMBER_ACTIONS.review_rejected}.`,
  commission_voided: `A member ${MEMBER_ACTIONS.commission_voided}.`,
  void_undone: `A member ${MEMBER_ACTIONS.void_undone}.`,
  // Decided manually
  credited_by_hand: `A member ${MEMBER_ACTIONS.credited_by_hand}.`,
  moved_by_hand: `A member ${MEMBER_ACTIONS.moved_by_hand}.`,
  adjustment_undone: `A member ${MEMBER_ACTIONS.adjustment_undone}.`,
  // Reports of a payment processor
  payment_recorded: 'The payment is recorded as a sale.',
  payment_pending: 'The customer completed the checkout, but the payment has not arrived yet.',
  payment_settled: 'The pending payment has arrived.',
  payment_failed: 'The payment failed.',
  nothing_paid: 'The amount paid was zero, so there is nothing to credit.',
  no_metadata: 'No event about this payment has a valid program_id in its metadata, so it cannot be credited.',
  program_of_others: 'The payment’s program_id belongs to a different workspace than the processor account.',
  sale_in_other_program: 'The payment names another program in this workspace, and its sale is recorded there.',
  sale_other_currency:
    'Your server sent the sale in a different currency than the payment, so the sale stays as your server sent it.',
  references_joined: 'The event shows that these IDs belong to one payment.',
  refund_recorded: 'The refund is included in the refunded amount of the sale.',
  refund_failed: 'The refund failed, so it does not count.',
  never_taken: 'The refund released an authorization that was never captured, so no sale was refunded.',
  refund_before_sale: 'The refunded payment has no sale yet; the refund is applied once the sale is recorded.',
  refund_other_currency: 'The refund is in a different currency than the payment.',
  dispute_recorded: 'The dispute is applied to the commission of the sale.',
  dispute_before_sale: 'The disputed payment has no sale yet; the dispute is applied once the sale is recorded.',
  // Corrections
  amount_corrected: 'The payment processor later reported the payment date or the amount before tax.',
  refund_undone: 'A refund that was reported earlier failed.',
  merged_into_another_sale: 'This sale turned out to be the same payment as another sale, which counts instead.',
  // Never received, or received without a decision
  invoice_never_received: 'This program has never received a sale with this invoice ID.',
  invoice_only_as_test: 'This invoice ID arrived only in test mode, which records no sale.',
  customer_never_seen: 'This program has never received a lead or a sale with this customer key.',
  customer_only_as_test: 'This customer key arrived only in test mode, which records no lead.',
  click_never_seen: 'This program has no click with this ID.',
  click_without_lead: 'The click was recorded, but no lead has been sent for it.',
  click_expired_without_lead: 'The click was recorded, but its attribution window ended before a lead was sent.',
} as const
export type ReasonCode = keyof typeof REASONS

/**
 * The same for partners, without technical terms. Codes that are missing here use the sentence above. They name no one, so that
 * every partner may read them.
 */
export const REASONS_FOR_PARTNERS: Partial<Record<ReasonCode, string>> = {
  lead_settled: 'The visitor clicked a link and signed up in time.',
  lead_settled_in_browser: 'The visitor clicked a link and signed up in time.',
  lead_settled_by_payment: 'The visitor clicked a link and paid in time.',
  lead_provisional: 'The program has not confirmed it.',
  bound_customer: 'The customer stays with the partner who referred them.',
  valid_click: 'The customer clicked a link and bought in time.',
  credited_late: 'The customer clicked a link before the sale and signed up after it.',
  customer_unknown: 'The program has not reported a lead for this customer.',
  click_not_found: 'No click on a link was found for it.',
  click_expired: 'The customer clicked the link too long before the sale.',
  no_click_before_sale: 'The customer did not click a link until after the sale.',
  lead_settled_by_code: 'The customer signed up with a promotion code.',
  code_used: 'The customer paid with a promotion code.',
  code_unknown: 'The promotion code belonged to no partner at the time.',
  code_disabled: 'The promotion code was disabled at the time.',
  code_pending: 'The promotion code has not been matched to a partner yet.',
  partner_not_approved: 'The owner of the promotion code was not an approved partner at the time.',
  existing_customer: 'The customer had paid before they used the promotion code.',
  commission_earned: 'Your terms at the time pay for it.',
  no_terms: 'The program did not pay commissions at the time.',
  no_reward_for_leads: 'Your terms at the time did not pay for leads.',
  no_reward_for_sales: 'Your terms at the time did not pay for sales.',
  lead_already_rewarded: 'An earlier lead for this customer has already earned a commission.',
  not_the_first_sale: 'Your terms pay only for a customer’s first sale.',
  reward_period_over: 'Your terms pay for a limited time after a customer’s first sale, and it had ended.',
  no_rule_matches: 'Your terms at the time did not pay for what was sold.',
  rule_pays_nothing: 'Your terms at the time did not pay for what was sold.',
  flat_in_other_currency: 'Your terms pay a flat amount in a different currency than the sale.',
  maximum_reached: 'The customer’s earlier sales have reached the most that your terms pay for one customer.',
  rounds_to_zero: 'Your share of such a small amount rounds to zero.',
  customer_is_partner: 'You may be the customer yourself.',
  click_from_ad: 'The click came from an ad, and the program reviews such sales.',
  sale_soon_after_click: 'The sale followed the click very soon, and the program reviews such sales.',
  many_leads_from_one_visitor: 'Many leads came from the same visitor on one day.',
  unverified_customer: 'The program has not confirmed the lead yet.',
  customer_confirmed: 'The program has confirmed the lead.',
  partner_suspended: 'Your partnership was not active at the time.',
  refund_reversed_part: 'Part of the sale was refunded to the customer.',
  refund_reversed_all: 'The sale was refunded to the customer.',
  refund_before_credit: 'The sale had already been refunded to the customer.',
  refund_nothing_left: 'The sale was refunded to the customer, but the commission had already been reversed in full.',
  dispute_opened: 'The customer disputed the payment, so the commission is not payable until their bank decides.',
  dispute_won: 'The bank decided in favor of the program, so the commission was restored.',
  dispute_won_others_open:
    'The bank decided in favor of the program, but another dispute over the same sale is still open.',
  dispute_lost: 'The bank decided in favor of the customer, so the commission was reversed.',
  review_released: `The program ${PROGRAM_ACTIONS.review_released}.`,
  review_rejected: `The program ${PROGRAM_ACTIONS.review_rejected}.`,
  commission_voided: `The program ${PROGRAM_ACTIONS.commission_voided}.`,
  void_undone: `The program ${PROGRAM_ACTIONS.void_undone}.`,
  credited_by_hand: `The program ${PROGRAM_ACTIONS.credited_by_hand}.`,
  moved_by_hand: `The program ${PROGRAM_ACTIONS.moved_by_hand}.`,
  adjustment_undone: `The program ${PROGRAM_ACTIONS.adjustment_undone}.`,
  amount_corrected: 'The amount before tax was reported later.',
  refund_undone: 'A refund to the customer failed.',
  merged_into_another_sale: 'The sale turned out to be the same payment as another sale, which counts instead.',
  no_metadata: 'The payment was not matched to a partner.',
  program_of_others: 'The payment was not matched to the program.',
  sale_in_other_program: 'The payment belongs to another program.',
  references_joined: 'The payment has no sale yet.',
  never_taken: 'The payment was canceled before it was collected, so there is no sale.',
  refund_before_sale: 'The refunded payment has no sale yet.',
  dispute_before_sale: 'The disputed payment has no sale yet.',
  invoice_never_received: 'The program has not recorded this sale.',
  invoice_only_as_test: 'The sale arrived only in test mode, which does not count.',
  customer_never_seen: 'The program has not recorded a lead or a sale for this customer.',
  customer_only_as_test: 'The customer arrived only in test mode, which does not count.',
  click_never_seen: 'The program has not counted this click.',
  click_without_lead: 'The click was recorded, but the visitor has not signed up yet.',
  click_expired_without_lead: 'The click was recorded, but the visitor did not sign up in time.',
}

/** Why another click of the same visitor was not credited. Follows "because". */
export const LOSER_REASONS = {
  earlier_click: 'a later click replaced it',
  later_click: 'an earlier click was already credited',
  after_the_lead: 'it came after the customer became a lead',
  after_the_sale: 'it came after the sale',
  outside_window: 'it was older than the attribution window',
  code_first: 'a promotion code wins over a click in this program',
} as const
export type LoserReason = keyof typeof LOSER_REASONS

/** Why a promotion code was not credited. Follows "because". */
export const CODE_LOSER_REASONS = {
  click_first: 'a click within the attribution window wins over a code in this program',
  other_code: 'another code comes first on the payment',
  bound_customer: 'the customer already belonged to a partner',
  code_unknown: 'it belonged to no partner at the time',
  code_disabled: 'it was disabled at the time',
  code_pending: 'its text is not known yet',
  partner_not_approved: 'its owner was not an approved partner',
  existing_customer: 'the customer had paid before they used it',
} as const
export type CodeLoserReason = keyof typeof CODE_LOSER_REASONS

/** Why a processor event changed nothing about a payment. Events that did have one of the reasons above. */
export const EVENT_REASONS = {
  test_sale: 'The event is in test mode, so it was recorded as a test sale, which does not count.',
  test_mode: 'The event is in test mode and is not a payment, so it changed nothing.',
  test_without_metadata:
    'The event is in test mode and names no program, customer or click. Add the metadata from the payment settings to your checkout.',
  too_many_tests: 'The event is in test mode, and the program had reached its limit of test events for that minute.',
  other_event: 'Events of this type are not about a payment.',
  amount_missing: 'The event has no valid amount, or a currency we do not know.',
  refund_pending: 'The refund has not been made yet. It counts once the processor reports that it was made.',
  checkout_for_set_up: 'The checkout saved a payment method and took no money.',
  no_payment_named: 'The event does not name a payment.',
  nothing_to_tie: 'The event has only one payment ID, so there is nothing to link it to.',
  code_learned: 'The event explains a promotion code. Payments that waited for it are credited.',
  code_without_text: 'The event does not say what customers enter as the code.',
  subscription_ended: 'The subscription ended. Earlier payments stay as they are.',
  account_changed: 'The event updated what the processor account can do.',
  account_disconnected: 'The merchant disconnected the account at the payment processor.',
  not_by_platform: 'The program uses its own webhook endpoint, so disconnecting an application does not affect it.',
  foreign_account: 'The event belongs to a different account than the one the program is connected to.',
  unreadable_event:
    'The event is signed but lacks fields that every event has. Check that only the payment processor uses this address.',
  not_processed: 'The service failed to process the event. It is stored; replay it once the problem is fixed.',
  before_connection:
    'The event concerns the account itself, or is a test event, and arrived before the account was connected.',
  account_not_connected: 'No program is connected to the account that the event belongs to.',
} as const
export type EventReason = keyof typeof EVENT_REASONS
