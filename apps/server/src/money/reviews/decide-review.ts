import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { Refusal } from '../../refusal.ts'
import { findCommission } from '../commissions/commissions.ts'
import { lockAccountOf, rebook } from '../commissions/rebook.ts'
import { closeReview } from './reviews.ts'

type Decision = {
  programId: number
  commissionId: number
  decision: 'released' | 'rejected'
  decisionNote: string
  decidedBy: string
  at: Date
  /** What else belongs to the same transaction. */
  also: (tx: Tx) => Promise<unknown>
}

/** Released, the commission stands where it would have stood; rejected, it is reversed. Both are lines of the ledger. */
export const decideReview = (db: Database, { programId, commissionId, at, also, ...review }: Decision) =>
  inTransaction(db, async (tx) => {
    const key = { programId, commissionId }
    await lockAccountOf(tx, key)
    const commission = await findCommission(tx, { programId, id: commissionId })
    if (!commission) return null
    if (!(await closeReview(tx, { ...key, ...review, decidedAt: at })))
      throw new Refusal('conflict', 'This commission is not waiting for a review.')
    await rebook(tx, { ...key, cause: { kind: 'review', word: `review: ${review.decision}` }, at })
    await also(tx)
    return commission
  })
