/** The SDK's names and older spellings that a caller may use on the wire. The first name of a row is the wire's own. */
export const FIELD_ALIASES = [
  ['customer_key', 'customerExternalId'],
  ['click_id', 'clickId'],
  ['amount', 'amount_cents'],
  ['invoice_id', 'invoiceId', 'transaction_id'],
  ['additional_data', 'additionalData'],
] as const
