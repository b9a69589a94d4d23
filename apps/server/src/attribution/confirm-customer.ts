type Unverified = {
  /** When a browser settled the lead; null where no sale rests on its word alone. */
  unverifiedSince: Date | null
  /** The customer is confirmed for sales from this moment on. */
  unverifiedUntil: Date | null
}

/**
 * What a customer's key is worth for a sale of a moment. A browser's lead credits no sale made before it (`uncredited`), and the
 * commissions of later ones wait for review (`unverified`), unless a confirmation covers that moment.
 */
export const trustInKey = ({ unverifiedSince, unverifiedUntil }: Unverified, soldAt: Date) => {
  if (unverifiedSince === null || (unverifiedUntil !== null && soldAt >= unverifiedUntil)) return 'verified'
  return soldAt < unverifiedSince ? 'uncredited' : 'unverified'
}

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
