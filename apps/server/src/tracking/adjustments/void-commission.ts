import { recordAudit } from '../../audit/audit-log.ts'
import type { Tx } from '../../database/transaction.ts'
import { findActiveVoid, insertAdjustment } from '../../money/adjustments/adjustments.ts'
import { findCommission } from '../../money/commissions/commissions.ts'
import { lockCommissionAccount, rebook } from '../../money/commissions/rebook.ts'
import { ADJUSTMENT_CAUSE } from '../../money/ledger/ledger.ts'
import { findReview } from '../../money/reviews/reviews.ts'
import { Refusal } from '../../refusal.ts'
import { storeReviewDecision } from '../commissions/store-review-decision.ts'

type NewVoid = {
  programId: number
  commissionId: number
  userId: string
  reason: string
  note: string | null
  /** Refuses a commission that is reversed already. */
  onlyWithRest?: boolean
  at: Date
}

/** Takes back what is left of a commission. Whatever is reported later, it stays at zero until the void is undone. */
export const voidCommission = async (
  tx: Tx,
  { programId, commissionId, userId, reason, note, at, ...how }: NewVoid,
) => {
  const key = { programId, commissionId }
  await lockCommissionAccount(tx, key)
  const commission = await findCommission(tx, { programId, id: commissionId })
  if (!commission)
    throw new Refusal('not_found', 'This program has no such commission. Check the ID.', { field: 'commissionId' })
  if ((await findActiveVoid(tx, key)) !== null)
    throw new Refusal('conflict', 'This commission is already voided.', { inShort: 'already voided' })
  if ((await findReview(tx, key))?.decision === 'rejected')
    throw new Refusal('conflict', 'This commission was already rejected in a review, so there is nothing to void.', {
      inShort: 'rejected in a review',
    })
  const { partnerId, currency } = commission
  const by = { reason, note, createdBy: userId, createdAt: at }
  const id = await insertAdjustment(tx, { programId, type: 'void', partnerId, commissionId, ...by })
  const rebooked = await rebook(tx, {
    ...key,
    at,
    cause: { kind: 'adjustment', ledgerCause: ADJUSTMENT_CAUSE.void },
  })
  const leftCents = rebooked?.before.promised ?? 0
  if (how.onlyWithRest && leftCents === 0)
    throw new Refusal('conflict', 'This commission is already reversed.', { inShort: 'already reversed' })
  await storeReviewDecision(tx, { programId, commissionId, decision: 'voided', at })
  await recordAudit(tx, {
    programId,
    userId,
    at,
    action: 'commission voided',
    subject: `commission ${commissionId}`,
    before: { leftCents, currency },
    after: { reason, ...(note && { note }) },
  })
  return id
}
