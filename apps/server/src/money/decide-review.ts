import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'
import { findCommission } from './commissions.ts'
import { lockPartnerAccount, standingOf } from './ledger.ts'
import { releaseCommission } from './release-reviews.ts'
import { closeReview } from './reviews.ts'
import { takeBack } from './take-back.ts'

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
    const found = await findCommission(tx, { programId, id: commissionId })
    if (!found) return null
    const { partnerId, currency } = found
    await lockPartnerAccount(tx, { programId, partnerId, currency })
    // Its date may have been corrected before the lock was ours.
    const commission = (await findCommission(tx, { programId, id: commissionId })) ?? found
    if (!(await closeReview(tx, { programId, commissionId, ...review, decidedAt: at })))
      throw new Refusal('conflict', 'This commission is not waiting for a review.')
    if (review.decision === 'rejected') {
      const { promised: amountCents } = await standingOf(tx, { programId, commissionId })
      await takeBack(tx, { programId, commission, toAccount: 'program', amountCents, cause: 'review: rejected', at })
    } else {
      await releaseCommission(tx, { programId, commission, at })
    }
    await also(tx)
    return commission
  })
