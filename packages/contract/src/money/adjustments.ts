import { z } from 'zod'
import { identifier, plainText, positiveCents, rowId, timestamp } from '../fields.ts'
import { pageQuery, rowNumber, sortedBy } from '../lists.ts'
import { PARTNER_STATUSES } from '../names.ts'
import { currency } from './currency.ts'
import { MAX_REASON_LENGTH, partnerLabel, partnerReason } from './money.ts'

export const ADJUSTMENT_TYPES = ['bonus', 'commission', 'void', 'credit', 'move'] as const
export type AdjustmentType = (typeof ADJUSTMENT_TYPES)[number]

const common = {
  reason: partnerReason,
  note: plainText(MAX_REASON_LENGTH).nullish().describe('For members only; partners do not see it'),
  idempotencyKey: identifier
    .optional()
    .describe('Makes a retry safe: the same key and request answer with the same adjustment and change nothing'),
}

const payment = {
  partnerId: rowId.describe('The partner who receives it'),
  amountCents: positiveCents.describe('Amount in minor units (2900 for $29.00)'),
  currency: currency.optional().describe("The program's currency by default"),
  payableAt: z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 time such as 2026-12-01T00:00:00Z' })
    .optional()
    .describe(
      "When it becomes payable, at most one year from now. Without it, a bonus is payable immediately and a manual commission after the partner's hold period",
    ),
}

/** POST /api/programs/{programId}/adjustments */
export const adjustmentRequest = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('bonus').describe('An amount of its own'), ...payment, ...common }),
    z.strictObject({
      type: z.literal('commission').describe('A commission entered manually'),
      ...payment,
      saleId: rowId.optional().describe('The sale it is for, as a reference. Refunds of the sale do not reduce it'),
      ...common,
    }),
    z.strictObject({
      type: z.literal('void').describe('Takes a commission back'),
      commissionId: rowId.describe('The commission to void'),
      ...common,
    }),
    z.strictObject({
      type: z.literal('credit').describe('Credits a sale to a partner'),
      saleId: rowId.describe('A sale that is not credited to a partner'),
      partnerId: rowId.describe('The partner who gets the sale'),
      ...common,
    }),
    z.strictObject({
      type: z.literal('move').describe('Moves a sale to another partner'),
      saleId: rowId.describe('A sale that is credited to another partner'),
      partnerId: rowId.describe('The partner who gets the sale'),
      fromPartnerId: rowId
        .optional()
        .describe('The partner who has the sale now. If someone moved it since, the call answers 409'),
      ...common,
    }),
  ],
  { error: `must be one of ${ADJUSTMENT_TYPES.join(', ')}` },
)
export type AdjustmentRequest = z.infer<typeof adjustmentRequest>

export const reverseAdjustmentRequest = z.strictObject({ reason: partnerReason })

export const adjustmentsQuery = pageQuery.extend({
  type: z
    .enum([...ADJUSTMENT_TYPES, 'added'])
    .optional()
    .describe('Only adjustments of this type. `added` finds both `bonus` and `commission`'),
  partnerId: rowNumber.optional().describe('Only adjustments of this partner, including sales moved away from them'),
  saleId: rowNumber.optional().describe('Only adjustments of this sale'),
  reversed: z.enum(['true', 'false']).optional().describe('Only adjustments that were undone, or only others'),
  sort: sortedBy(['createdAt'], '-createdAt'),
})
export type AdjustmentsQuery = z.infer<typeof adjustmentsQuery>

export const adjustment = z.strictObject({
  id: z.int(),
  type: z.enum(ADJUSTMENT_TYPES),
  partnerId: z.int().describe('The partner who receives it; for a void, the partner whose commission it was'),
  ...partnerLabel,
  fromPartnerId: z.int().nullable().describe('For a move, the partner who had the sale'),
  fromPartnerName: z.string().nullable(),
  saleId: z.int().nullable(),
  invoiceId: z.string().nullable().describe('The invoice ID of the sale'),
  commissionId: z.int().nullable().describe('The commission that it created; for a void, the voided commission'),
  amountCents: z.int().nullable().describe('The amount of that commission, before refunds'),
  currency: z.string().nullable(),
  payableAt: timestamp.nullable(),
  reason: z.string(),
  note: z.string().nullable(),
  createdBy: z.string().nullable().describe('Name of the member; null if unknown'),
  createdAt: timestamp,
  reversed: z
    .strictObject({ reason: z.string(), by: z.string().nullable(), at: timestamp })
    .nullable()
    .describe('Who undid it and why; null if it stands'),
})
export type AdjustmentRow = z.infer<typeof adjustment>

export const adjustmentPreview = z.strictObject({
  changes: z
    .array(
      z.strictObject({
        partnerId: z.int(),
        partnerName: z.string(),
        partnerStatus: z.enum(PARTNER_STATUSES).describe('Nothing is payable until the partner is approved'),
        currency: z.string(),
        amountCents: z.int().describe('What the partner gains; negative if it is taken back'),
        payableAt: timestamp.nullable().describe('When the gained amount becomes payable; null if nothing is gained'),
        reviewCents: z.int().describe('How much of it waits for review, because the partner is suspended or rejected'),
        debtCents: z.int().describe('How much was already paid and is deducted from the next payout'),
      }),
    )
    .describe('One entry per partner and currency. Empty if no money moves'),
})
export type AdjustmentPreview = z.infer<typeof adjustmentPreview>
