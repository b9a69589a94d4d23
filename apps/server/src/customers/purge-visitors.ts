import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'

const BATCH = 2_000

/**
 * Deletes visitors without a lead or sale whose last click was before the given time. Reports do not use these rows. Reads in
 * batches by primary key, so that each statement is short and no row is read twice.
 */
export const purgeVisitors = async (db: Database, { before }: { before: Date }) => {
  let after = { programId: 0, clickId: '' }
  for (;;) {
    const batch = await purgeBatch(db, { before, after })
    if (!batch) return
    after = batch
  }
}

type Position = { programId: number; clickId: string }

/** Postgres rechecks the conditions after waiting for a row lock, so a visitor who clicks again in the meantime is kept. */
const purgeBatch = async (db: Database, { before, after }: { before: Date; after: Position }) => {
  const { rows } = await sql<Position>`
    WITH batch AS (
      SELECT program_id, click_id, customer_status, last_clicked_at FROM customers
      WHERE (program_id, click_id) > (${after.programId}, ${after.clickId} COLLATE "C")
      ORDER BY program_id, click_id LIMIT ${sql.lit(BATCH)}
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
