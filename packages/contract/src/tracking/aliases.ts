/** Alternative field names a caller may send, such as the SDK's. The first name in each row is the canonical one. */
export const FIELD_ALIASES = [
  ['customer_key', 'customerExternalId'],
  ['click_id', 'clickId'],
  ['amount', 'amount_cents'],
  ['tax', 'tax_cents'],
  ['invoice_id', 'invoiceId', 'transaction_id'],
  ['promotion_code', 'promotionCode', 'coupon_code'],
  ['additional_data', 'additionalData'],
] as const
