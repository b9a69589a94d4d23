import { REVIEW_COUNT_LIMIT } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import { promisedCents } from '../ledger/ledger.ts'

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

export const findReview = (db: Database | Tx, { programId, commissionId }: Key) =>
  db
    .selectFrom('commissionReviews')
    .select(['reason', 'openedAt', 'decision', 'decisionNote', 'decidedBy', 'decidedAt'])
    .where('programId', '=', programId)
    .where('commissionId', '=', commissionId)
    .executeTakeFirst()

/** Every page of the dashboard shows it, so it reads the open reviews only, and stops early. */
export const countOpenReviews = async (db: Database, programId: number) => {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (
      SELECT FROM commission_reviews review
      WHERE review.program_id = ${programId} AND review.decision IS NULL
        -- A refund or a void leaves the review open, but nothing to decide.
        AND (SELECT ${promisedCents} FROM ledger_lines line
          WHERE line.program_id = review.program_id AND line.commission_id = review.commission_id) > 0
      LIMIT ${REVIEW_COUNT_LIMIT + 1}) open`.execute(db)
  const count = rows[0]?.count ?? 0
  return { count: Math.min(count, REVIEW_COUNT_LIMIT), isMore: count > REVIEW_COUNT_LIMIT }
}

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
