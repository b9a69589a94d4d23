import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'

type Verifying = { programId: number; found: (difference: string) => void }
type Cell = { days: number; linkId: number; currency: string | null; kept: string; summed: string }

/** Holds what is kept for the overview's periods (events/period-sums.ts, rankings.ts, open-days.ts) against the counts and the money. */
export const verifyPeriods = async (tx: Tx, { programId, found }: Verifying) => {
  for (const { rows } of [await countsThatDiffer(tx, programId), await moneyThatDiffers(tx, programId)])
    for (const { days, linkId, currency, kept, summed } of rows)
      found(
        `${currency ?? 'counts'} of link ${linkId} within ${days === 0 ? 'all' : days} days are kept as ${kept} and are ${summed}`,
      )
  for (const { kind, sort, days } of (await rankingsThatDiffer(tx, programId)).rows)
    found(`the ranking of ${kind}s by ${sort} within ${days === 0 ? 'all' : days} days is not that of the counts`)
  for (const { day, kept, summed } of (await openDaysThatDiffer(tx, programId)).rows)
    found(`counts of ${day}, which is not over, are kept as ${kept} and are ${summed}`)
}

/** The days of each period that are in its sum, as events/sum-periods.ts has them. */
const periods = (programId: number) => sql`(
  SELECT days, CASE days WHEN 0 THEN '-infinity' ELSE summed_day + 2 - days END AS first_day, summed_day AS last_day, counted_until
  FROM roll_ups CROSS JOIN (VALUES (0), (7), (30), (90)) offered(days) WHERE program_id = ${programId} AND summed_day IS NOT NULL)`

/** The counts of the days of `period`, without what began to count after its moment. */
const countsOfPeriod = (programId: number) => sql`(
  SELECT link_id, partner_id, clicks, leads, sales FROM daily_counts
  WHERE program_id = ${programId} AND day BETWEEN period.first_day AND period.last_day
  UNION ALL
  SELECT link_id, partner_id, -1, 0, 0 FROM click_events WHERE program_id = ${programId} AND device IS DISTINCT FROM 'bot'
    AND clicked_at > period.counted_until AND day BETWEEN period.first_day AND period.last_day
  UNION ALL
  SELECT link_id, partner_id, 0, -1, 0 FROM leads WHERE program_id = ${programId}
    AND settled_at > period.counted_until AND day BETWEEN period.first_day AND period.last_day
  UNION ALL
  SELECT link_id, partner_id, 0, 0, -1 FROM sales WHERE program_id = ${programId} AND voided_at IS NULL
    AND credited_at > period.counted_until AND day BETWEEN period.first_day AND period.last_day) counted`

const countsThatDiffer = (tx: Tx, programId: number) =>
  sql<Cell>`
  SELECT days, link_id, NULL AS currency, concat_ws('/', kept.clicks, kept.leads, kept.sales) AS kept,
    concat_ws('/', summed.clicks, summed.leads, summed.sales) AS summed
  FROM (SELECT * FROM period_counts WHERE program_id = ${programId}) kept
  FULL JOIN (
    SELECT days::smallint AS days, link_id, partner_id, sum(clicks) AS clicks, sum(leads) AS leads, sum(sales) AS sales
    FROM ${periods(programId)} period CROSS JOIN LATERAL ${countsOfPeriod(programId)} GROUP BY 1, 2, 3) summed USING (days, link_id, partner_id)
  WHERE (coalesce(kept.clicks, 0), coalesce(kept.leads, 0), coalesce(kept.sales, 0))
    <> (coalesce(summed.clicks, 0), coalesce(summed.leads, 0), coalesce(summed.sales, 0))
  ORDER BY days, link_id`.execute(tx)

const moneyThatDiffers = (tx: Tx, programId: number) =>
  sql<Cell>`
  WITH credited AS (
    SELECT link_id, day, credited_at AS began_at, currency, amount_cents AS revenue_cents, 0::bigint AS commission_cents FROM sales
    WHERE program_id = ${programId} AND credited_at IS NOT NULL AND voided_at IS NULL
    UNION ALL
    SELECT link_id, day, credited_at, earned.currency, 0, earned.amount_cents FROM sales sale
    JOIN commissions earned ON earned.program_id = sale.program_id AND earned.sale_id = sale.id
    WHERE sale.program_id = ${programId} AND credited_at IS NOT NULL AND voided_at IS NULL
    UNION ALL
    SELECT link_id, day, settled_at, currency, 0, amount_cents FROM leads lead
    JOIN commissions earned ON earned.program_id = lead.program_id AND earned.lead_id = lead.id
    WHERE lead.program_id = ${programId} AND settled_at IS NOT NULL)
  SELECT days, link_id, currency, concat_ws('/', kept.revenue_cents, kept.commission_cents) AS kept,
    concat_ws('/', summed.revenue_cents, summed.commission_cents) AS summed
  FROM (SELECT * FROM period_money WHERE program_id = ${programId}) kept
  FULL JOIN (
    SELECT days::smallint AS days, link_id, currency, sum(revenue_cents) AS revenue_cents, sum(commission_cents) AS commission_cents
    FROM ${periods(programId)} period JOIN credited ON day BETWEEN first_day AND last_day AND began_at <= counted_until
    GROUP BY 1, 2, 3) summed USING (days, link_id, currency)
  WHERE (coalesce(kept.revenue_cents, 0), coalesce(kept.commission_cents, 0))
    <> (coalesce(summed.revenue_cents, 0), coalesce(summed.commission_cents, 0))
  ORDER BY days, link_id, currency`.execute(tx)

/** Whatever a ranking leaves out counts for no more than its last entry, so it is compared as a whole. */
const rankingsThatDiffer = (tx: Tx, programId: number) =>
  sql<{ kind: string; sort: string; days: number }>`
  SELECT kind, sort, days FROM rankings period
  CROSS JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_array(id, clicks, leads, sales) ORDER BY place) AS entries FROM (
      SELECT *, row_number() OVER (ORDER BY CASE period.sort WHEN 'clicks' THEN clicks WHEN 'leads' THEN leads ELSE sales END DESC,
        clicks DESC, id::text) AS place
      FROM (
        SELECT CASE period.kind WHEN 'link' THEN link_id ELSE partner_id END AS id,
          sum(clicks) AS clicks, sum(leads) AS leads, sum(sales) AS sales
        FROM ${countsOfPeriod(programId)} GROUP BY 1) one
      WHERE clicks > 0 OR leads > 0 OR sales > 0) ranked
    WHERE place <= greatest(150, jsonb_array_length(period.entries))) expected
  WHERE program_id = ${programId} AND coalesce(expected.entries, '[]') <> (
    SELECT coalesce(jsonb_agg(entry - 4 ORDER BY place), '[]')
    FROM jsonb_array_elements(period.entries) WITH ORDINALITY listed(entry, place))
  ORDER BY kind, sort, days`.execute(tx)

const openDaysThatDiffer = (tx: Tx, programId: number) =>
  sql<{ day: string; kept: string; summed: string }>`
  SELECT period.day, concat_ws('/', period.clicks, period.leads, period.sales) AS kept,
    concat_ws('/', summed.clicks, summed.leads, summed.sales) AS summed
  FROM (SELECT *, day AS first_day, day AS last_day FROM open_days WHERE program_id = ${programId}) period
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(clicks), 0) AS clicks, coalesce(sum(leads), 0) AS leads, coalesce(sum(sales), 0) AS sales
    FROM ${countsOfPeriod(programId)}) summed
  WHERE (period.clicks, period.leads, period.sales) <> (summed.clicks, summed.leads, summed.sales)
  ORDER BY day`.execute(tx)
