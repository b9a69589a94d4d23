import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'
import { bulkInsert } from './bulk-insert.ts'
import type { trafficRows } from './traffic-rows.ts'

const CLICK_SLOT = 0

/**
 * Inserts in bulk, because tracking six weeks of events one by one would take many seconds. Click counts are derived from the
 * events, so they cannot differ; leads and sales are rolled up as usual.
 */
export const writeTraffic = async (tx: Tx, programId: number, rows: ReturnType<typeof trafficRows>) => {
  await bulkInsert(tx, 'customers', rows.customers)
  await bulkInsert(tx, 'customerKeys', rows.customerKeys)
  await sql`
    INSERT INTO customer_emails (program_id, email_hash, click_id)
    SELECT program_id, email_hash, click_id FROM customers
    WHERE program_id = ${programId} AND email_hash IS NOT NULL`.execute(tx)
  await bulkInsert(tx, 'clickEvents', rows.clickEvents)
  await bulkInsert(tx, 'leads', rows.leads)
  await bulkInsert(tx, 'sales', rows.sales)
  await sql`
    INSERT INTO daily_counts (program_id, link_id, partner_id, day, slot, clicks, last_clicked_at)
    SELECT program_id, link_id, partner_id, day, ${CLICK_SLOT}, count(*), max(clicked_at)
    FROM click_events WHERE program_id = ${programId} GROUP BY program_id, link_id, partner_id, day`.execute(tx)
  await sql`
    INSERT INTO changed_days (program_id, day)
    SELECT program_id, day FROM leads WHERE program_id = ${programId} AND state = 'settled'
    UNION SELECT program_id, day FROM sales WHERE program_id = ${programId} AND click_id IS NOT NULL`.execute(tx)
}
