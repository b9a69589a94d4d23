import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'
import { bulkInsert } from './bulk-insert.ts'
import type { trafficRows } from './traffic-rows.ts'

const CLICK_SLOT = 0
const MONEY_SLOT = -1

/**
 * Writes it all at once: told one by one, six weeks would keep the first start waiting for many seconds. The counts are
 * made from the events, so that they cannot differ from them.
 */
export const writeTraffic = async (tx: Tx, programId: number, rows: ReturnType<typeof trafficRows>) => {
  await bulkInsert(tx, 'customers', rows.customers)
  await bulkInsert(tx, 'customerKeys', rows.customerKeys)
  await bulkInsert(tx, 'clickEvents', rows.clickEvents)
  await bulkInsert(tx, 'leads', rows.leads)
  await bulkInsert(tx, 'sales', rows.sales)
  await sql`
    INSERT INTO daily_counts (program_id, link_id, partner_id, day, slot, clicks, last_clicked_at)
    SELECT program_id, link_id, partner_id, day, ${CLICK_SLOT}, count(*), max(clicked_at)
    FROM click_events WHERE program_id = ${programId} GROUP BY program_id, link_id, partner_id, day`.execute(tx)
  await sql`
    INSERT INTO daily_counts (program_id, link_id, partner_id, day, slot, leads, sales)
    SELECT program_id, link_id, partner_id, day, ${MONEY_SLOT}, sum(lead), sum(sale)
    FROM (
      SELECT program_id, link_id, partner_id, day, 1 AS lead, 0 AS sale FROM leads WHERE state = 'settled'
      UNION ALL
      SELECT program_id, link_id, partner_id, day, 0, 1 FROM sales WHERE click_id IS NOT NULL
    ) event
    WHERE program_id = ${programId} GROUP BY program_id, link_id, partner_id, day`.execute(tx)
}
