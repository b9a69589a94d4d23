import { bodyErrors, type Operation } from '../openapi/operation.ts'
import { refundAnswer, refundRequest } from './money.ts'

/** Refunds by merchants. */
export const REFUNDS: Operation[] = [
  {
    method: 'post',
    path: '/api/v1/track/refund',
    caller: 'key',
    summary: 'Track a refund',
    description:
      "Records a full or partial refund of a sale and reverses the same share of its commission. Send a `refund_id` so that a retry is not counted twice. If the commission was already paid, the reversal is deducted from the partner's next payout.",
    acceptsIdempotencyKey: true,
    request: refundRequest,
    example: { invoice_id: 'inv_1001', amount: 1500, refund_id: 're_1' },
    answers: [refundAnswer],
    exampleAnswer: {
      success: true,
      sale_id: 12,
      commission_id: 34,
      refunded_amount: 1500,
      reversed_amount: 300,
    },
    refusals: [
      'idempotency_key_reused',
      'missing_invoice_id',
      'invalid_amount',
      'invalid_currency',
      'conflicting_fields',
      ...bodyErrors,
      'missing_api_key',
      'invalid_api_key',
      'program_mismatch',
      'sale_not_found',
      'conflict',
      'rate_limited',
      'unavailable',
    ],
  },
]
