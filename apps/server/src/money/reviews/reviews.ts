import type { SelfReferralMatch } from '@tributary/contract'
import type { Database } from '../../database/connect.ts'
import type { Tx, Writer } from '../../database/transaction.ts'
import { changing, withoutEvent } from '../../outbox/publish-changes.ts'

export type ReviewReason =
  | 'click_from_ad'
  | 'customer_is_partner'
  | 'many_leads_from_one_visitor'
  | 'partner_suspended'
  | 'sale_soon_after_click'
  | 'unverified_customer'

type Key = { programId: number; commissionId: number }
type Reasons = { reason: ReviewReason; furtherReasons: ReviewReason[] }

/** How the customer matches the partner. */
type Matches = { matches: SelfReferralMatch[] }

type NewReview = Key & Reasons & Matches & { openedAt: Date }
type ChangedReasons = Key & Reasons & { at: Date }

const changingCommission = (tx: Tx, { programId, commissionId }: Key, at: Date): Promise<Writer> =>
  changing(tx, 'commission', { programId, ids: [commissionId], at })

export const openReview = async (tx: Tx, review: NewReview) => {
  const writer = await changingCommission(tx, review, review.openedAt)
  await writer.insertInto('commissionReviews').values(review).execute()
}

/** Of a new commission: the event of its creation says that it is in review. */
export const openFirstReview = (tx: Tx, review: NewReview) =>
  withoutEvent(tx).insertInto('commissionReviews').values(review).execute()

export const updateReviewReasons = async (tx: Tx, { reason, furtherReasons, at, ...key }: ChangedReasons) => {
  const writer = await changingCommission(tx, key, at)
  await writer
    .updateTable('commissionReviews')
    .set({ reason, furtherReasons })
    .where('programId', '=', key.programId)
    .where('commissionId', '=', key.commissionId)
    .where('decision', 'is', null)
    .execute()
}

/** Adds reasons to a review that no member has decided. */
export const reopenReview = async (
  tx: Tx,
  { reason, furtherReasons, matches, at, ...key }: ChangedReasons & Matches,
) => {
  const writer = await changingCommission(tx, key, at)
  await writer
    .updateTable('commissionReviews')
    .set({ reason, furtherReasons, matches, decision: null, decisionNote: null, decidedAt: null })
    .where('programId', '=', key.programId)
    .where('commissionId', '=', key.commissionId)
    .execute()
}

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
  const writer = await changingCommission(tx, { programId, commissionId }, decision.decidedAt)
  const closed = await writer
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
  const writer = await changingCommission(tx, { programId, commissionId }, at)
  const rejected = await writer
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
