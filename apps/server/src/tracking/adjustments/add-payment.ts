import type { AdjustmentRequest } from '@tributary/contract'
import { recordAudit } from '../../audit/audit-log.ts'
import type { Tx } from '../../database/transaction.ts'
import { insertAdjustment } from '../../money/adjustments/adjustments.ts'
import { reviewsOfPartner } from '../../money/adjustments/decide-adjustment.ts'
import { createCommission } from '../../money/commissions/create-commissions.ts'
import { termsAt } from '../../money/rewards/reward-terms.ts'
import { payableAt } from '../../money/rewards/rewards.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { lockPartner, lockSaleToAdjust } from './adjusted.ts'

type Payment = Extract<AdjustmentRequest, { type: 'bonus' | 'commission' }>
type NewPayment = { programId: number; userId: string; reason: string; note: string | null; request: Payment; at: Date }

const DEFAULT_HOLD_DAYS = 30
const MAX_DAYS_AHEAD = 366

/** Adds a bonus or a manual commission. Refunds do not reduce it, not even those of the sale it refers to. */
export const addPayment = async (
  tx: Tx,
  program: Program,
  { programId, userId, reason, note, request, at }: NewPayment,
) => {
  const { type, partnerId, amountCents, currency = program.currency } = request
  const saleId = 'saleId' in request ? request.saleId : undefined
  if (saleId !== undefined) await lockSaleToAdjust(tx, { programId, saleId })
  const partnerStatus = await lockPartner(tx, { programId, partnerId })
  const payment = { partnerId, amountCents, currency, payableAt: await findPayableAt(tx, { programId, request, at }) }
  const by = { reason, note, createdBy: userId, createdAt: at }
  const id = await insertAdjustment(tx, { programId, type, ...payment, ...(saleId && { saleId }), ...by })
  await createCommission(tx, {
    programId,
    partnerId,
    terms: null,
    earnedAt: at,
    at,
    payableAt: payment.payableAt,
    of: { kind: type === 'bonus' ? 'bonus' : 'manual', adjustmentId: id },
    reward: { amountCents, currency },
    review: reviewsOfPartner(partnerStatus),
  })
  await recordAudit(tx, {
    programId,
    userId,
    at,
    action: type === 'bonus' ? 'bonus added' : 'manual commission added',
    subject: `partner ${partnerId}`,
    after: { adjustmentId: id, amountCents, currency, ...(saleId && { saleId }), reason, ...(note && { note }) },
  })
  return id
}

/** A bonus is payable immediately, a manual commission after the partner's current hold period. */
const findPayableAt = async (tx: Tx, { programId, request, at }: Pick<NewPayment, 'programId' | 'request' | 'at'>) => {
  const { type, partnerId, payableAt: given } = request
  if (given !== undefined) return readPayableAt(given, at)
  if (type === 'bonus') return at
  const terms = await termsAt(tx, { programId, partnerId, at })
  return payableAt(at, terms?.holdDays ?? DEFAULT_HOLD_DAYS)
}

const readPayableAt = (given: string, at: Date) => {
  const payable = new Date(given)
  if (payable > payableAt(at, MAX_DAYS_AHEAD))
    throw new Refusal('invalid_request', 'payableAt must be at most one year from now. Send an earlier time.', {
      field: 'payableAt',
    })
  // A time in the past means payable immediately.
  return payable < at ? at : payable
}
