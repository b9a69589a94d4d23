import { operations } from '../openapi/declaration.ts'
import {
  adjustment,
  adjustmentPreview,
  adjustmentRequest,
  adjustmentsQuery,
  reverseAdjustmentRequest,
} from './adjustments.ts'

const PATH = '/api/programs/{programId}/adjustments'

/** Bonuses, manual commissions, voids, and sales credited or moved manually. */
export const ADJUSTMENTS = operations({
  list: {
    method: 'get',
    path: PATH,
    permission: 'commission:read',
    summary: 'List adjustments',
    description: 'Lists what members adjusted manually: who, when and why, and whether it was undone.',
    query: adjustmentsQuery,
    list: adjustment,
  },
  create: {
    method: 'post',
    path: PATH,
    permission: 'payout:manage',
    summary: 'Create an adjustment',
    description:
      'Adds a bonus or a manual commission, voids a commission, credits an uncredited sale to a partner, or moves one sale to another partner. A credited or moved sale pays by the partner’s terms at the time of the sale, and refunds and disputes reduce it as usual. Later sales of the customer stay as they are. Amounts that were already paid are deducted from the next payout.',
    request: adjustmentRequest,
    example: {
      type: 'bonus',
      partnerId: 1,
      amountCents: 5_000,
      reason: 'Best partner of the month',
    },
    status: 201,
    answer: adjustment,
    errors: ['conflict', 'idempotency_key_reused', 'not_found'],
  },
  preview: {
    method: 'post',
    path: `${PATH}/preview` as const,
    permission: 'payout:manage',
    summary: 'Preview an adjustment',
    description: 'Answers what an adjustment would change for each partner. Nothing is saved.',
    request: adjustmentRequest,
    example: {
      type: 'move',
      saleId: 1,
      partnerId: 2,
      reason: 'The customer used the code of another partner',
    },
    answer: adjustmentPreview,
    errors: ['conflict', 'not_found'],
  },
  reverse: {
    method: 'post',
    path: `${PATH}/{adjustmentId}/reverse` as const,
    permission: 'payout:manage',
    summary: 'Undo an adjustment',
    description:
      'Brings the money back to where it would be without the adjustment. A sale goes back to an earlier adjustment or to the automatic rules. An adjustment can be undone once.',
    request: reverseAdjustmentRequest,
    example: { reason: 'Added to the wrong partner' },
    answer: adjustment,
    errors: ['conflict'],
  },
})
