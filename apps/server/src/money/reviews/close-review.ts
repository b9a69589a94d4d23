import type { Tx } from '../../database/transaction.ts'
import { Refusal } from '../../refusal.ts'
import { findActiveVoid } from '../adjustments/adjustments.ts'
import { findCommission } from '../commissions/commissions.ts'
import { lockCommissionAccount, rebook } from '../commissions/rebook.ts'
import { markReviewClosed } from './reviews.ts'

type Decision = {
  programId: number
  commissionId: number
  decision: 'released' | 'rejected'
  decisionNote: string
  decidedBy: string
  at: Date
}

/** Releasing books the commission as if it had never been in review; rejecting reverses it. */
export const closeReview = async (tx: Tx, { programId, commissionId, at, ...review }: Decision) => {
  const key = { programId, commissionId }
  await lockCommissionAccount(tx, key)
  const commission = await findCommission(tx, { programId, id: commissionId })
  if (!commission) return null
  if ((await findActiveVoid(tx, key)) !== null)
    throw new Refusal('conflict', 'This commission is voided. Undo the void first, then review it.', {
      inShort: 'voided',
    })
  if (!(await markReviewClosed(tx, { ...key, ...review, decidedAt: at })))
    throw new Refusal('conflict', 'This commission is not in review. Reload it to see its current state.', {
      inShort: 'not in review',
    })
  await rebook(tx, { ...key, cause: { kind: 'review', ledgerCause: `review: ${review.decision}` }, at })
  return commission
}
