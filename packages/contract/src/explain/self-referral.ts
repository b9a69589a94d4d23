/**
 * How a customer can match the partner. `partner_details` stands for `payout_destination` if the reader may not see payout
 * details: together with a customer key it would reveal them.
 */
export const SELF_REFERRAL_MATCHES = [
  'customer_key',
  'email',
  'processor_customer',
  'payout_destination',
  'visitor',
  'partner_details',
] as const
export type SelfReferralMatch = (typeof SELF_REFERRAL_MATCHES)[number]

/** For merchants, as the second half of a sentence: "The customer appears to be the partner: …". Names no address. */
export const SELF_REFERRAL_TEXTS: Record<SelfReferralMatch, string> = {
  customer_key: 'the customer key is an email address of the partner',
  email: 'the customer’s email address is one of the partner’s',
  processor_customer: 'the payment processor states an email address of the partner for the payer',
  payout_destination: 'the customer’s email address is the partner’s payout destination',
  visitor: 'the customer clicked from a network that the partner used on the same day',
  partner_details: 'the customer matches private details of the partner, which members who manage payouts can see',
}
