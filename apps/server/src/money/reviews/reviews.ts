import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'

export type ReviewReason =
  | 'customer_is_partner'
  | 'many_leads_from_one_visitor'
  | 'partner_suspended'
  | 'unverified_customer'

type Key = { programId: number; commissionId: number }
type Reasons = { reason: ReviewReason; furtherReasons: ReviewReason[] }

export const openReview = (tx: Tx, review: Key & Reasons & { openedAt: Date }) =>
  tx.insertInto('commissionReviews').values(review).execute()

export const updateReviewReasons = (tx: Tx, { programId, commissionId, reason, furtherReasons }: Key & Reasons) =>
  tx
    .updateTable('commissionReviews')
    .set({ reason, furtherReasons })
    .where('programId', '=', programId)
    .where('commissionId', '=', commissionId)
    .where('decision', 'is', null)
    .execute()

/** Adds reasons to a review that no member has decided. */
export const reopenReview = (tx: Tx, { programId, commissionId, reason, furtherReasons }: Key & Reasons) =>
  tx
    .updateTable('commissionReviews')
    .set({ reason, furtherReasons, decision: null, decisionNote: null, decidedAt: null })
    .where('programId', '=', programId)
    .where('commissionId', '=', commissionId)
    .execute()

export const findReview = (db: Database | Tx, { programId, commissionId }: Key) =>
  db
    .selectFrom('commissionReviews')
    .select(['reason', 'openedAt', 'decision', 'decisionNote', 'decidedBy', 'decidedAt'])
    .where('programId', '=', programId)
    .where('commissionId', '=', commissionId)
    .executeTakeFirst()

/** False if the review is already decided. */
export const markReviewClosed = async (
  tx: Tx,
  {
    programId,
    commissionId,
    ...decision
  }: Key & { decision: 'released' | 'rejected'; decisionNote: string; decidedBy: string | null; decidedAt: Date },
) => {
  const closed = await tx
    .updateTable('commissionReviews')
    .set(decision)
    .where('programId', '=', programId)
    .where('commissionId', '=', commissionId)
    .where('decision', 'is', null)
    .executeTakeFirst()
  return closed.numUpdatedRows > 0n
}

type Rejection = Key & { reason: string; decisionNote: string | null; decidedBy: string | null; at: Date }

/** Rejects a commission with or without a review, even a released one. False if it is already rejected. */
export const rejectWithoutReview = async (tx: Tx, { programId, commissionId, at, ...values }: Rejection) => {
  const rejection = { ...values, furtherReasons: [], decision: 'rejected', decidedAt: at }
  const rejected = await tx
    .insertInto('commissionReviews')
    .values({ programId, commissionId, openedAt: at, ...rejection })
    .onConflict((conflict) =>
      conflict
        .columns(['programId', 'commissionId'])
        .doUpdateSet(rejection)
        .where('commissionReviews.decision', 'is distinct from', 'rejected'),
    )
    .executeTakeFirst()
  return (rejected.numInsertedOrUpdatedRows ?? 0n) > 0n
}
