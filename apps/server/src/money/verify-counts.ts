import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'

type Cell = {
  linkId: number
  partnerId: number
  day: string
  clicks: number
  leads: number
  sales: number
  countedClicks: number
  countedLeads: number
  countedSales: number
  sameLastClick: boolean
  /** Some of its clicks may be older than those that are kept. */
  mayBeDropped: boolean
}

/** Recounts every counter from its events: clicks, leads and sales of a program by link, partner and day. Of days whose
 * clicks were dropped (database/retention.ts) it can only say that they were not fewer than are left. */
export const verifyCounts = async (
  tx: Tx,
  { programId, found }: { programId: number; found: (difference: string) => void },
) => {
  const { rows } = await sql<Cell>`
    SELECT link_id, partner_id, day, coalesce(event.clicks, 0)::bigint AS clicks, coalesce(event.leads, 0)::bigint AS leads,
      coalesce(event.sales, 0)::bigint AS sales, coalesce(counted.clicks, 0)::bigint AS counted_clicks,
      coalesce(counted.leads, 0)::bigint AS counted_leads, coalesce(counted.sales, 0)::bigint AS counted_sales,
      event.last_clicked_at IS NOT DISTINCT FROM counted.last_clicked_at AS same_last_click,
      coalesce(day::timestamp AT TIME ZONE (SELECT timezone FROM programs WHERE id = ${programId})
        < (SELECT kept_since FROM click_retention), false) AS may_be_dropped
    FROM (
      SELECT link_id, partner_id, day, sum(click) AS clicks, sum(lead) AS leads, sum(sale) AS sales, max(clicked_at) AS last_clicked_at
      FROM (
        SELECT link_id, partner_id, day, 1 AS click, 0 AS lead, 0 AS sale, clicked_at FROM click_events
        WHERE program_id = ${programId} AND device IS DISTINCT FROM 'bot'
        UNION ALL
        SELECT link_id, partner_id, day, 0, 1, 0, NULL FROM leads WHERE program_id = ${programId} AND state = 'settled'
        UNION ALL
        SELECT link_id, partner_id, day, 0, 0, 1, NULL FROM sales
        WHERE program_id = ${programId} AND click_id IS NOT NULL AND voided_at IS NULL) one
      GROUP BY link_id, partner_id, day) event
    FULL JOIN (
      SELECT link_id, partner_id, day, sum(clicks) AS clicks, sum(leads) AS leads, sum(sales) AS sales,
        max(last_clicked_at) AS last_clicked_at
      FROM daily_counts WHERE program_id = ${programId} GROUP BY link_id, partner_id, day) counted
    USING (link_id, partner_id, day)
    WHERE (event.clicks, event.leads, event.sales, event.last_clicked_at)
      IS DISTINCT FROM (counted.clicks, counted.leads, counted.sales, counted.last_clicked_at)
    ORDER BY day, link_id, partner_id`.execute(tx)
  for (const cell of rows) for (const difference of differencesOf(cell)) found(difference)
}

const differencesOf = (cell: Cell) => {
  const place = `of link ${cell.linkId}, partner ${cell.partnerId} on ${cell.day}`
  const compare = (word: string, counted: number, events: number) =>
    counted === events ? [] : [`${word} ${place} are counted as ${counted} and there are ${events}`]
  return [
    ...(cell.mayBeDropped && cell.countedClicks >= cell.clicks
      ? []
      : compare('clicks', cell.countedClicks, cell.clicks)),
    ...compare('leads', cell.countedLeads, cell.leads),
    ...compare('sales', cell.countedSales, cell.sales),
    ...(cell.sameLastClick || cell.mayBeDropped ? [] : [`the last click ${place} is not the one that is counted`]),
  ]
}
