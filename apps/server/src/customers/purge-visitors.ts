import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'

const BATCH = 2_000

/**
 * Deletes records of visitors whose last click was before the moment given and who never became a lead or bought anything. Counts do
 * not come from them. Reads a batch after another in the order of the key, so that no statement is long and nothing is read twice.
 */
export const purgeVisitors = async (db: Database, { before }: { before: Date }) => {
  let after = { programId: 0, clickId: '' }
  for (;;) {
    const batch = await purgeBatch(db, { before, after })
    if (!batch) return
    after = batch
  }
}

type Place = { programId: number; clickId: string }

/** Postgres looks at a row again after waiting for whoever changes it, so a visitor who comes back meanwhile stays. */
const purgeBatch = async (db: Database, { before, after }: { before: Date; after: Place }) => {
  const { rows } = await sql<Place>`
    WITH batch AS (
      SELECT program_id, click_id, customer_status, last_clicked_at FROM customers
      WHERE (program_id, click_id) > (${after.programId}, ${after.clickId} COLLATE "C")
      ORDER BY program_id, click_id LIMIT ${BATCH}
    ), purged AS (
      DELETE FROM customers customer USING batch
      WHERE customer.program_id = batch.program_id AND customer.click_id = batch.click_id
        AND customer.customer_status = 'click' AND customer.last_clicked_at < ${before}
        AND NOT EXISTS (SELECT FROM leads WHERE leads.program_id = customer.program_id AND leads.click_id = customer.click_id)
        AND NOT EXISTS (SELECT FROM sales WHERE sales.program_id = customer.program_id AND sales.click_id = customer.click_id)
    )
    SELECT program_id, click_id FROM batch ORDER BY program_id DESC, click_id DESC LIMIT 1`.execute(db)
  return rows[0]
}
