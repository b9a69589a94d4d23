import type { UnmatchedReason, UnpaidReason } from '@tributary/contract'

/** Why a rule did not match an item: "Rule 1 doesn’t match: …". */
export const UNMATCHED_TEXT: Record<UnmatchedReason, string> = {
  other_product: 'another product, or none',
  other_plan: 'another plan, or none',
  other_interval: 'another billing interval, or none',
  not_first_payment: 'not the customer’s first sale',
  first_payment: 'the customer’s first sale',
  other_currency: 'another currency',
  other_country: 'another country, or unknown',
  amount_below_minimum: 'below the minimum amount',
}

/** Why an item earned nothing. */
export const UNPAID_TEXT: Record<UnpaidReason, string> = {
  no_rule_matches: 'No rule matches.',
  rule_pays_nothing: 'It pays nothing.',
  stages_over: 'Its last rate has ended for this customer.',
  flat_paid_once: 'Its fixed amount is paid once per sale, for another item.',
  flat_in_other_currency: 'Its fixed amount is in another currency.',
  rounds_to_zero: 'The amount rounds to zero.',
}
