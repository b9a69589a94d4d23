import { z } from 'zod'

/**
 * Every error code and its HTTP status. A 4xx or `overloaded` means nothing was recorded; after `unavailable` the outcome is
 * unknown. Leads, sales, refunds with a `refund_id` and calls with an API key and an `Idempotency-Key` are safe to retry.
 */
export const ERROR_STATUS = {
  invalid_json: 400,
  invalid_request: 400,
  conflicting_fields: 400,
  missing_affiliate_url: 400,
  invalid_affiliate_url: 400,
  missing_aff: 400,
  link_not_found: 400,
  link_misconfigured: 400,
  missing_customer_key: 400,
  missing_invoice_id: 400,
  invalid_amount: 400,
  invalid_currency: 400,
  click_not_found: 400,
  click_expired: 400,
  customer_unknown: 400,
  invalid_signature: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  unauthenticated: 401,
  invalid_credentials: 401,
  forbidden: 403,
  origin_not_allowed: 403,
  program_mismatch: 403,
  sign_up_closed: 403,
  two_factor_required: 403,
  read_only_view: 403,
  consent_refused: 403,
  not_found: 404,
  program_not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  duplicate_invoice: 409,
  idempotency_key_reused: 409,
  events_ahead: 409,
  sale_not_found: 404,
  link_disabled: 410,
  events_expired: 410,
  payload_too_large: 413,
  rate_limited: 429,
  internal_error: 500,
  overloaded: 503,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS
export type ErrorStatus = (typeof ERROR_STATUS)[ErrorCode]

/** A test event needs no key, so a wrong program is bad input (400) rather than missing access. */
export const TEST_EVENT_ERROR_STATUS = { program_mismatch: 400, program_not_found: 400 } as const

/** Sent with `duplicate_invoice`, both at the top level, where a successful sale has `sale_id`, and inside `error`. */
const duplicateInvoice = z
  .object({
    sale_id: z.int().describe('The sale that already has this invoice ID'),
    same_request: z.boolean().describe('True if this call is a retry of the one that created the sale'),
    reported_by: z
      .literal('processor')
      .describe(
        'The payment processor already reported this payment, so its sale is recorded and there is nothing to do',
      ),
  })
  .partial()

export const errorAnswer = duplicateInvoice.extend({
  success: z.literal(false).describe('Nothing was recorded, except perhaps after `unavailable`'),
  error: duplicateInvoice
    .extend({
      code: z
        .enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]])
        .describe('The kind of error, for programs'),
      message: z.string().describe('What is wrong and how to fix it'),
      field: z.string().optional().describe('The request field that caused the error'),
      request_id: z.string().describe('Also in the `X-Request-Id` header. Include it when you ask for help'),
    })
    .describe('What went wrong'),
})
