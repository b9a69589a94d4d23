/** Payout methods that partners choose from in the portal. */
export const METHODS = { paypal: 'PayPal', wise: 'Wise', bank: 'Bank transfer', other: 'Other' }
