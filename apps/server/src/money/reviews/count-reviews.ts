import { REVIEW_COUNT_LIMIT } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { promisedCents } from '../ledger/ledger.ts'

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
