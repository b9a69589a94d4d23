import { bodyErrors, type Operation } from '../openapi/operation.ts'
import { clickAnswer, documentedClickRequest, testAnswer } from './track-click.ts'
import { leadAnswer, leadRequest } from './track-lead.ts'
import { saleAnswer, saleRequest } from './track-sale.ts'

/** Tracking calls. */
export const TRACKING_OPERATIONS: Operation[] = [
  {
    method: 'post',
    path: '/api/v1/track/click',
    caller: 'public',
    summary: 'Track a click',
    description:
      "Records a click on a referral link and returns the `click_id` to keep in the visitor's `service_click_id` cookie. Callable from any origin. Send the previous value as `existing_click_id` so that one visitor stays one record.",
    request: documentedClickRequest,
    example: {
      affiliate_url: 'https://shop.example/?aff=maya',
      page_title: 'Pricing',
      referrer_url: 'https://blog.example/best-tools',
    },
    answers: [clickAnswer, testAnswer],
    exampleAnswer: {
      success: true,
      click_id: '1_0mhk2x9a4pQ7vT3rZc8LwYfN6sKdB',
      partner_code: 'maya',
      cookie_window_days: 60,
    },
    refusals: [
      'missing_affiliate_url',
      'invalid_affiliate_url',
      'missing_aff',
      'link_not_found',
      'link_misconfigured',
      'consent_refused',
      'link_disabled',
      'invalid_json',
      'payload_too_large',
      'rate_limited',
      'overloaded',
      'unavailable',
    ],
    refusalsAs400: ['program_mismatch', 'program_not_found'],
  },
  {
    method: 'post',
    path: '/api/v1/track/lead',
    caller: 'browser or key',
    summary: 'Track a lead',
    description:
      "With an API key, it links your `customer_key` to a click, and the lead counts. Without an `Authorization` header, it is the visitor's browser reporting a sign-up: the lead stays provisional unless the program allows browser leads. Repeating the call for a known customer returns the same lead with `duplicate: true`.",
    acceptsIdempotencyKey: true,
    request: leadRequest,
    example: {
      customer_key: 'user_42',
      click_id: '1_0mhk2x9a4pQ7vT3rZc8LwYfN6sKdB',
      email: 'ada@example.com',
    },
    answers: [leadAnswer, testAnswer],
    exampleAnswer: {
      success: true,
      lead_id: 7,
      customer_key: 'user_42',
      click_id: '1_0mhk2x9a4pQ7vT3rZc8LwYfN6sKdB',
    },
    refusals: [
      'idempotency_key_reused',
      'missing_customer_key',
      'customer_unknown',
      'click_not_found',
      'click_expired',
      'conflicting_fields',
      ...bodyErrors,
      'invalid_api_key',
      'program_mismatch',
      'rate_limited',
      'unavailable',
    ],
    refusalsAs400: ['program_not_found'],
  },
  {
    method: 'post',
    path: '/api/v1/track/sale',
    caller: 'key',
    summary: 'Track a sale',
    description:
      "Records a payment and credits it to the customer's partner. `invoice_id` makes retries safe: each invoice is one sale per program, forever. If the customer is unknown, the sale is stored and credited later, once a lead links that `customer_key` to an earlier click.",
    acceptsIdempotencyKey: true,
    request: saleRequest,
    example: { customer_key: 'user_42', amount: 4900, invoice_id: 'inv_1001' },
    answers: [saleAnswer, testAnswer],
    exampleAnswer: { success: true, sale_id: 12, attributed: true, credited_by: 'click', commission_id: 34 },
    refusals: [
      'idempotency_key_reused',
      'missing_customer_key',
      'missing_invoice_id',
      'invalid_amount',
      'invalid_currency',
      'conflicting_fields',
      ...bodyErrors,
      'missing_api_key',
      'invalid_api_key',
      'program_mismatch',
      'duplicate_invoice',
      'rate_limited',
      'unavailable',
    ],
  },
]
