/** The ways to be paid that a partner chooses from in the portal, as who pays reads them. */
export const METHODS = { paypal: 'PayPal', wise: 'Wise', bank: 'Bank transfer', other: 'Another way' }
