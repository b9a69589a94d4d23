import { listed } from '../openapi/declaration.ts'
import { bodyErrors, type Operation } from '../openapi/operation.ts'
import { AUDIT_LOG } from './audit-operations.ts'
import { refundAnswer, refundRequest } from './money.ts'

/** Refunds by merchants, and the audit log. */
export const MONEY_OPERATIONS: Operation[] = [
  {
    method: 'post',
    path: '/api/v1/track/refund',
    caller: 'key',
    summary: 'Track a refund',
    description:
      "Records a full or partial refund of a sale and reverses the same share of its commission. Send a `refund_id` so that a retry is not counted twice. If the commission was already paid, the reversal is deducted from the partner's next payout.",
    acceptsIdempotencyKey: true,
    request: refundRequest,
    answers: [refundAnswer],
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
  ...listed(AUDIT_LOG),
]
