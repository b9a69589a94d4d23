/** Why an event ended as it did. Every code there is, each with the one sentence that people read. */
export const REASONS = {
  // A lead
  lead_settled: 'The sign-up was reported by the server, with a click that was still valid.',
  lead_settled_in_browser: 'The sign-up was reported by the browser, and the program lets browsers settle leads.',
  lead_settled_by_payment: 'The payment processor reported a payment of this customer with a valid click.',
  second_customer: 'The click had brought a customer before; this is another one from the same click.',
  lead_provisional: 'Only the browser has reported the sign-up, without a word that this program takes from a browser.',
  // Whose sale it is
  bound_customer: 'The customer signed up before, and a sign-up binds a customer to its partner for good.',
  valid_click: 'The sale named a click that was still within the attribution window.',
  credited_late: 'The sign-up of this customer came after the sale, and the click was made before it.',
  customer_unknown:
    'No sign-up with this customer key had been reported when the sale came, or only by a browser and after the sale.',
  click_not_found: 'No click of this program has the click ID that the sale named.',
  click_expired: 'The click that the sale named was older than the attribution window.',
  no_click_before_sale: 'The customer signed up later, but made no click before the sale.',
  // What it earns
  commission_earned: 'The reward terms at that time pay for it.',
  no_terms: 'The program had no reward terms at that time.',
  no_reward_for_leads: 'The reward terms at that time paid nothing for leads.',
  no_reward_for_sales: 'The reward terms at that time paid nothing for sales.',
  lead_already_rewarded:
    'A customer with this key earned the commission for the lead before their personal data was erased.',
  not_the_first_sale: 'The reward terms pay for the first sale of a customer only.',
  reward_period_over: 'The months for which the reward terms pay after the first sale were over.',
  rounds_to_zero: 'The share of so small an amount rounds to nothing.',
  customer_is_partner: 'The e-mail address of the customer is the one of the partner, so somebody has to look at it.',
  many_leads_from_one_visitor: 'Many sign-ups of one day came from one visitor, so somebody has to look at them.',
  unverified_customer:
    "The customer's sign-up was reported by a browser only; it is confirmed once your server or a payment reports it too.",
  customer_confirmed:
    "Your server or the payment processor has reported the customer with this partner's click, so the sign-up is confirmed.",
  partner_suspended: 'The partner was suspended or rejected at that time, so the commission needs a decision.',
  // What was taken back
  refund_reversed_part: 'A part of the sale was refunded, so the same part of the commission was taken back.',
  refund_reversed_all: 'All of the sale was refunded, so the whole commission was taken back.',
  refund_before_credit: 'The sale had been refunded before it was credited.',
  refund_without_commission: 'The refunded sale had earned no commission, so there was nothing to take back.',
  refund_nothing_left: 'Nothing was left of the commission that this refund could take back.',
  dispute_opened: 'The customer disputes the payment, so its commission waits for the outcome.',
  dispute_won: 'The dispute was won, so the commission is back where it was.',
  dispute_won_others_open: 'This dispute was won, but another one about the same sale is still open.',
  dispute_lost: 'The dispute was lost, so the commission was taken back.',
  dispute_without_commission: 'The disputed sale has earned no commission, so nothing had to be held.',
  review_released: 'Somebody looked at the commission and released it.',
  review_rejected: 'Somebody looked at the commission and rejected it.',
  commission_voided: 'The commission was voided.',
  // What a payment processor told
  payment_recorded: 'The payment is recorded as a sale.',
  payment_pending: 'The customer has bought, but the money has not come yet.',
  payment_settled: 'The money that was waited for has come.',
  payment_failed: 'The money did not come.',
  nothing_paid: 'Nothing was paid, so there is nothing to share.',
  no_metadata:
    'No message about this payment says whom it is to be credited for: it has no program_id among its metadata, or one that is not a plain number.',
  program_of_others: 'The payment names a program that does not belong to the workspace of the processor account.',
  sale_in_other_program: 'The payment names another program of the workspace, and its sale is there.',
  sale_other_currency:
    'The sale was reported in another currency than the payment, so it stays as the merchant reported it.',
  references_joined: 'It says that these names are one payment, and they are kept as one.',
  refund_recorded: 'The refund is part of what is refunded of the sale.',
  refund_failed: 'The refund failed, so it is as if it had never been.',
  never_taken: 'It gave back what had been reserved and was never taken, so nothing of a sale was refunded.',
  refund_before_sale: 'There is no sale of the refunded payment yet; the refund is applied once there is one.',
  refund_other_currency: 'The refund is in another currency than the payment.',
  dispute_recorded: 'The dispute is part of what holds or reverses the commission of the sale.',
  dispute_before_sale: 'There is no sale of the disputed payment yet; the dispute is applied once there is one.',
  // What was corrected
  amount_corrected: 'The payment processor has told later what was paid without tax, or when.',
  refund_undone: 'A refund that was reported before has failed.',
  merged_into_another_sale:
    'The payment processor has told later that two sales were one payment, or whose payment it was; the other sale counts.',
  // What never came, or came too early to be kept with its facts
  invoice_never_received: 'No sale with this invoice ID was ever recorded in this program.',
  invoice_only_as_test: 'This invoice ID came in test mode only, and a test is no sale.',
  customer_never_seen: 'Neither a sign-up nor a sale with this customer key was ever recorded in this program.',
  customer_only_as_test: 'This customer key came in test mode only, and a test is no sign-up.',
  click_never_seen: 'No click with this click ID counts in this program.',
  click_without_lead: 'The click was recorded, and no sign-up has been reported for it.',
  click_expired_without_lead: 'The click was recorded, but its attribution window ended before a sign-up was reported.',
} as const
export type ReasonCode = keyof typeof REASONS

/**
 * The same for a partner, who knows links, customers and money, and nothing of servers, keys and settings. Where a code is
 * missing, the sentence above is plain enough. They name nobody, and are true for whoever reads them.
 */
export const REASONS_FOR_PARTNERS: Partial<Record<ReasonCode, string>> = {
  lead_settled: 'Somebody followed a link and signed up in time.',
  lead_settled_in_browser: 'Somebody followed a link and signed up in time.',
  lead_settled_by_payment: 'Somebody followed a link and paid in time.',
  second_customer: 'Another person signed up after the same click.',
  lead_provisional: 'The program has not confirmed the sign-up yet.',
  bound_customer: 'The customer signed up before, and whoever brought the sign-up keeps the customer.',
  valid_click: 'The customer followed a link and bought in time.',
  credited_late: 'The customer had followed a link before the sale, and signed up after it.',
  customer_unknown: 'The program has reported no sign-up of this customer.',
  click_not_found: 'No click on a link could be found for it.',
  click_expired: 'The customer followed the link too long before the sale.',
  no_click_before_sale: 'The customer followed a link only after the sale.',
  commission_earned: 'Your terms at that time pay for it.',
  no_terms: 'The program paid nothing at that time.',
  no_reward_for_leads: 'Your terms at that time paid nothing for sign-ups.',
  no_reward_for_sales: 'Your terms at that time paid nothing for sales.',
  lead_already_rewarded: 'This sign-up was paid for before.',
  not_the_first_sale: 'Your terms pay for the first sale of a customer.',
  reward_period_over: 'Your terms pay for the first months of a customer, and these were over.',
  rounds_to_zero: 'Your share of so small an amount is less than a cent.',
  customer_is_partner: 'You may be the customer yourself, so the program looks at it first.',
  many_leads_from_one_visitor: 'Many sign-ups came from one visitor on one day, so the program looks at them first.',
  unverified_customer: "The program has not confirmed the customer's sign-up yet.",
  customer_confirmed: "The program has confirmed the customer's sign-up.",
  partner_suspended: 'Your partnership was not active at that time, so the program reviews it first.',
  refund_reversed_part:
    'The customer got a part of the money back, so the same part of what you earned was taken back.',
  refund_reversed_all: 'The customer got the money back, so what you earned was taken back.',
  refund_before_credit: 'The customer had got the money back before.',
  refund_nothing_left: 'The customer got more money back, and nothing was left to take back from you.',
  dispute_opened: 'The customer asked their bank for the money back, so it waits until that is decided.',
  dispute_won: 'The bank decided for the program, so what you earned is yours again.',
  dispute_won_others_open: 'The bank decided for the program, but another case about the same sale is still open.',
  dispute_lost: 'The bank gave the customer the money back, so what you earned was taken back.',
  review_released: 'The program looked at it and released it.',
  review_rejected: 'The program looked at it and did not accept it.',
  commission_voided: 'The program voided it.',
  amount_corrected: 'What the customer paid without tax was learnt later.',
  refund_undone: 'The customer did not get the money back after all.',
  merged_into_another_sale: 'It turned out to be the same payment as another sale, which counts.',
}

/** Why another click of the same visitor did not win. */
export const LOSER_REASONS = {
  earlier_click: 'a later click took its place',
  later_click: 'an earlier click had the credit and kept it',
  after_the_lead: 'it came after the sign-up had bound the customer',
  after_the_sale: 'it came after the sale',
  outside_window: 'it was older than the attribution window',
} as const
export type LoserReason = keyof typeof LOSER_REASONS

/** What a merchant can do about it, where there is something to do. */
export const ADVICE: Partial<Record<ReasonCode, string>> = {
  no_metadata:
    'Set service_click_id, service_customer_key and program_id in the metadata of the checkout session and of the subscription.',
  program_of_others:
    'Set program_id in the metadata to a program of the workspace that the processor account is connected to.',
  sale_other_currency: 'Report sales in the currency that the customer paid in.',
  lead_provisional:
    'Send the lead from your server with your API key, with the same click_id and your own customer_key.',
  customer_unknown:
    'Send the lead of this customer with the click_id from the service_click_id cookie; if the click came before the sale, the sale is then credited automatically. A payment that named no customer at all needs service_customer_key in its metadata.',
  click_not_found: 'Send the value of the service_click_id cookie unchanged, with a key of the program it belongs to.',
  click_expired:
    'Report sign-ups as leads when they happen: a settled lead has no expiry. The window is in the program settings.',
  no_terms:
    'Set a reward in the program settings. With the first terms of a program you can also pay for earlier sign-ups and sales.',
  no_reward_for_leads: 'Add a lead reward if leads should pay; it holds for events from then on.',
  no_reward_for_sales: 'Add a sale reward if sales should pay; it holds for events from then on.',
  customer_is_partner: 'Release or reject the commission in the review queue.',
  many_leads_from_one_visitor: 'Release or reject the commission in the review queue.',
  unverified_customer:
    'Send the lead from your server with your API key, the same customer_key and the click_id of the customer, or release or reject the commission in the review queue.',
  partner_suspended:
    'Release or reject the commission in the review queue. Reinstating the partner does not release it.',
  invoice_never_received:
    'Look at what your server was answered: a 4xx means that nothing was recorded. Send the sale again with this invoice_id.',
  invoice_only_as_test:
    'Send the sale without additional_data.test_mode, or take the payment in the live mode of the payment processor.',
  customer_never_seen:
    'Look at what your server was answered: a lead answered 400 records nothing, and one answered with provisional: true has saved no key. Check that the key is spelled as it was sent.',
  customer_only_as_test:
    'Send the lead without additional_data.test_mode, or take the payment in the live mode of the payment processor.',
  click_never_seen:
    'Check the value of the service_click_id cookie and that it belongs to this program. A crawler or a link preview is given a click ID too, and counts nowhere.',
  click_without_lead: 'Send the lead from your server with this click_id and your own customer_key.',
  click_expired_without_lead:
    'Report sign-ups as leads when they happen. A longer window in the program settings helps the clicks to come.',
}

/** Why a processor's event came to nothing about a payment. Whatever says something about one has a reason of the above. */
export const EVENT_REASONS = {
  test_sale: 'It came in test mode, so it made a test sale and no money.',
  test_mode: 'It came in test mode, and a test changes nothing.',
  too_many_tests: 'It came in test mode, when the program had had its test events of that minute.',
  other_event: 'Events of this type say nothing about a payment.',
  amount_missing: 'The event has no amount that could be right, or a currency that we do not know.',
  checkout_for_set_up: 'The checkout stored a way to pay and took no money.',
  no_payment_named: 'The event names no payment that it could be about.',
  nothing_to_tie: 'The event names one identifier of a payment, and it takes two to tie them together.',
  subscription_ended: 'The subscription has ended; what was paid for it stays paid.',
  account_changed: 'The event told what the processor account may do, and that was kept.',
  account_disconnected: 'The merchant has disconnected the account at the processor.',
  not_by_platform: 'The connection is by an endpoint of the merchant, which does not end with an application.',
  foreign_account: 'The event is of another account than the one that the program is connected to.',
  not_processed: 'This service failed at it. It is kept, and a replay makes it good once the service is mended.',
  before_connection: 'It told of the account itself, or of a test, before the account was connected.',
  account_not_connected: 'No program is connected to the account that the event belongs to.',
} as const
export type EventReason = keyof typeof EVENT_REASONS
