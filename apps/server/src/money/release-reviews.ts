import type { Tx } from '../database/transaction.ts'
import { type Commission, findCommission } from './commissions.ts'
import { append, lockPartnerAccount, standingOf } from './ledger.ts'
import { closeReview, type ReviewReason } from './reviews.ts'

type Releasing = { programId: number; commission: Commission; at: Date }

/** Moves what a closed review held to where it would have been without it. The partner's account is locked. */
export const releaseCommission = async (tx: Tx, { programId, commission, at }: Releasing) => {
  const { id: commissionId, partnerId, currency, payableAt: availableAt } = commission
  const { review: amountCents } = await standingOf(tx, { programId, commissionId })
  const accounts = { fromAccount: 'review', toAccount: 'earned' } as const
  const line = { ...accounts, partnerId, currency, amountCents, availableAt, commissionId, cause: 'review: released' }
  await append(tx, { programId, at, lines: [line] })
}

type OfCustomer = {
  programId: number
  clickId: string
  reason: ReviewReason
  /** Sales made before this moment keep their review; null for all sales. */
  soldSince: Date | null
}
type Answered = OfCustomer & { note: string; at: Date }

/**
 * Releases the open reviews of a customer's sales with one reason, because what it waited for has happened. Answers the
 * released commissions.
 */
export const releaseReviewsOfCustomer = async (tx: Tx, { note, at, ...of }: Answered) => {
  const { programId } = of
  const open = await openReviewsOf(tx, of)
  for (const { partnerId, currency } of open) await lockPartnerAccount(tx, { programId, partnerId, currency })
  const released: number[] = []
  for (const { commissionId } of open) {
    const decision = { decision: 'released', decisionNote: note, decidedBy: null, decidedAt: at } as const
    if (!(await closeReview(tx, { programId, commissionId, ...decision }))) continue
    const commission = await findCommission(tx, { programId, id: commissionId })
    if (!commission) throw new Error('a review is of a commission')
    await releaseCommission(tx, { programId, commission, at })
    released.push(commissionId)
  }
  return released
}

/** In the order in which accounts are locked. */
const openReviewsOf = (tx: Tx, { programId, clickId, reason, soldSince }: OfCustomer) =>
  tx
    .selectFrom('commissionReviews as review')
    .innerJoin('commissions as commission', (join) =>
      join.onRef('commission.programId', '=', 'review.programId').onRef('commission.id', '=', 'review.commissionId'),
    )
    .innerJoin('sales', (join) =>
      join.onRef('sales.programId', '=', 'commission.programId').onRef('sales.id', '=', 'commission.saleId'),
    )
    .select(['review.commissionId', 'commission.partnerId', 'commission.currency'])
    .where('review.programId', '=', programId)
    .where('review.decision', 'is', null)
    .where('review.reason', '=', reason)
    .where('sales.clickId', '=', clickId)
    .$if(soldSince !== null, (query) => query.where('sales.soldAt', '>=', soldSince))
    .orderBy('commission.partnerId')
    .orderBy('commission.currency')
    .orderBy('review.commissionId')
    .execute()
