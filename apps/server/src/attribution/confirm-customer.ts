type Unverified = {
  /** When an unauthenticated browser settled the lead; null if all sales are verified. */
  unverifiedSince: Date | null
  /** The customer is verified for sales from this time on. */
  unverifiedUntil: Date | null
}

/**
 * Whether a customer key can credit a sale made at `soldAt`. Without a confirmation that covers it, a sale before the browser's
 * lead is `uncredited` and the commission of a later one goes to review (`unverified`).
 */
export const trustInKey = ({ unverifiedSince, unverifiedUntil }: Unverified, soldAt: Date) => {
  if (unverifiedSince === null || (unverifiedUntil !== null && soldAt >= unverifiedUntil)) return 'verified'
  return soldAt < unverifiedSince ? 'uncredited' : 'unverified'
}

/** All inputs for confirming a customer whose lead was settled by a browser. */
export type ConfirmationFacts = {
  by: 'server' | 'processor'
  /** The click sent with the customer key, compared with the click that the browser sent. */
  click: 'absent' | 'unknown' | 'expired' | 'same' | 'same_partner' | 'another_partner'
}

export type Confirmation =
  | { outcome: 'confirmed'; reason: 'customer_confirmed' }
  | { outcome: 'unconfirmed'; reason: 'unverified_customer' }

/**
 * The key alone proves nothing: an attacker can claim another customer's key in the browser, and the merchant's routine call for
 * that customer must not confirm it. The call must also name a click of the same partner.
 */
export const confirmCustomer = ({ click }: ConfirmationFacts): Confirmation =>
  click === 'same' || click === 'same_partner'
    ? { outcome: 'confirmed', reason: 'customer_confirmed' }
    : { outcome: 'unconfirmed', reason: 'unverified_customer' }
