import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'
import { findCommission } from './commissions.ts'
import { append, lockPartnerAccount, standingOf } from './ledger.ts'
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
    const commission = await findCommission(tx, { programId, id: commissionId })
    if (!commission) return null
    const { partnerId, currency, payableAt: availableAt } = commission
    await lockPartnerAccount(tx, { programId, partnerId, currency })
    if (!(await closeReview(tx, { programId, commissionId, ...review, decidedAt: at })))
      throw new Refusal('conflict', 'This commission is not waiting for a review.')
    const standing = await standingOf(tx, { programId, commissionId })
    if (review.decision === 'rejected') {
      const amountCents = standing.promised
      await takeBack(tx, { programId, commission, toAccount: 'program', amountCents, cause: 'review: rejected', at })
    } else {
      const move = {
        partnerId,
        currency,
        fromAccount: 'review',
        toAccount: 'earned',
        availableAt,
        commissionId,
      } as const
      await append(tx, { programId, at, lines: [{ ...move, amountCents: standing.review, cause: 'review: released' }] })
    }
    await also(tx)
    return commission
  })
