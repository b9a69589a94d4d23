/**
 * The parts of the contract package that the SDK uses, copied because the SDK must not have dependencies. `test/contract.test.ts` does
 * not compile if the two differ.
 */

export const CLICK_COOKIE = 'service_click_id'

export const METADATA_KEYS = {
  clickId: 'service_click_id',
  customerKey: 'service_customer_key',
  programId: 'program_id',
} as const

export const MAX_IDENTIFIER_LENGTH = 255
export const MAX_AMOUNT = 1_000_000_000_000
export const MAX_METADATA_BYTES = 8_192

export const PATHS = {
  lead: '/api/v1/track/lead',
  sale: '/api/v1/track/sale',
  refund: '/api/v1/track/refund',
} as const

export type LeadBody = {
  customer_key: string
  click_id?: string
  promotion_code?: string
  email?: string
  additional_data?: { test_mode?: boolean; program_id?: number | string }
}

export type LeadAnswer = {
  success: true
  lead_id?: number
  customer_key?: string
  click_id?: string
  credited_by?: 'click' | 'code' | 'imported'
  provisional?: true
  duplicate?: true
}

export type TestAnswer = {
  success: true
  message: string
  data: { eventId: number; programId: number; test_mode: true }
}

export type SaleBody = {
  customer_key?: string
  click_id?: string
  promotion_code?: string
  amount: number
  tax?: number
  items?: { product_id: string; plan_id?: string; interval?: 'one_time' | 'month' | 'year'; amount: number }[]
  invoice_id: string
  currency?: string
  event_name?: string
  subscription_id?: string
  metadata?: Record<string, unknown>
}

export type SaleAnswer = {
  success: true
  sale_id: number
  attributed: boolean
  reason?:
    | 'customer_unknown'
    | 'click_not_found'
    | 'click_expired'
    | 'no_click_before_sale'
    | 'code_unknown'
    | 'code_disabled'
    | 'code_pending'
    | 'partner_not_approved'
    | 'existing_customer'
  credited_by: 'click' | 'code' | 'manual' | 'imported' | null
  commission_id: number | null
}

export type RefundBody = {
  invoice_id: string
  amount?: number
  currency?: string
  reason?: string
  refund_id: string
}

export type RefundAnswer = {
  success: true
  sale_id: number
  commission_id: number | null
  refunded_amount: number
  reversed_amount: number
  duplicate?: true
}

/** Every error code of the three calls. */
export const REFUSAL_CODES = [
  'invalid_json',
  'invalid_request',
  'conflicting_fields',
  'missing_customer_key',
  'missing_invoice_id',
  'invalid_amount',
  'invalid_currency',
  'click_not_found',
  'click_expired',
  'customer_unknown',
  'missing_api_key',
  'invalid_api_key',
  'program_mismatch',
  'program_not_found',
  'sale_not_found',
  'not_found',
  'method_not_allowed',
  'conflict',
  'duplicate_invoice',
  'idempotency_key_reused',
  'payload_too_large',
  'rate_limited',
  'internal_error',
  'overloaded',
  'unavailable',
] as const
export type RefusalCode = (typeof REFUSAL_CODES)[number]

export type ErrorBody = {
  success: false
  error: {
    code: string
    message: string
    field?: string
    request_id: string
    sale_id?: number
    same_request?: boolean
    reported_by?: string
  }
}
