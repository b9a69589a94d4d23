/** Everything that decides whether a call confirms a customer whose lead was settled by a browser. */
export type ConfirmationFacts = {
  by: 'server' | 'processor'
  /** The click that the call named with the customer key, compared with the one that the browser named. */
  click: 'absent' | 'unknown' | 'expired' | 'same' | 'same_partner' | 'another_partner'
}

export type Confirmation =
  | { outcome: 'confirmed'; reason: 'customer_confirmed' }
  | { outcome: 'unconfirmed'; reason: 'unverified_customer' }

/**
 * The key alone is no evidence: anybody can report a stranger's key with a click of their own, and the merchant's routine call
 * for that customer must not confirm it. The call has to connect the customer to the same partner.
 */
export const confirmCustomer = ({ click }: ConfirmationFacts): Confirmation =>
  click === 'same' || click === 'same_partner'
    ? { outcome: 'confirmed', reason: 'customer_confirmed' }
    : { outcome: 'unconfirmed', reason: 'unverified_customer' }
