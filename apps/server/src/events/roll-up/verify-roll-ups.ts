import { sql } from 'kysely'
import { selectLostCents } from '../../database/sql/refunded.ts'
import type { Tx } from '../../database/transaction.ts'
import { changedCustomerDays, refundedCustomerDays } from '../analytics/customer-facts.ts'
import { conversionsByLink, moneyByLink } from '../overview/facts.ts'
import { changedDays } from './changed-days.ts'

type Check = { programId: number; found: (difference: string) => void }
type Cell = { cell: string; stored: string; expected: string }

/**
 * Compares the roll-ups that the overview reads with the queries that fill them, for days that are not marked as changed, and
 * clicks of past days with their counters, because clicks expire. Dimensions are compared by their sums only, because rare values are
 * grouped and erased visitors lose theirs.
 */
export const verifyRollUps = async (tx: Tx, { programId, found }: Check) => {
  for (const findDifferences of [
    differingConversions,
    differingMoney,
    differingBreakdowns,
    differingClicks,
    differingWeeks,
    differingCustomers,
    differingTimes,
    differingHours,
    differingPartnerHours,
    differingRefunds,
  ])
    for (const { cell, stored, expected } of (await findDifferences(programId).execute(tx)).rows)
      found(`${cell}: rolled up as ${stored}, expected ${expected}`)
}

/** Leads and sales of days that the roll-up has finished. */
const finished = (programId: number) => ({
  programId,
  days: sql`ARRAY(SELECT day FROM leads WHERE program_id = ${programId} UNION SELECT day FROM sales WHERE program_id = ${programId}
    EXCEPT SELECT unnest(${changedDays(programId)}))`,
})

const notMarked = (programId: number) => sql`program_id = ${programId} AND day <> ALL (${changedDays(programId)})`

const differingConversions = (programId: number) => sql<Cell>`
  SELECT format('leads/sales of link %s, partner %s on %s', link_id, partner_id, day) AS cell,
    concat_ws('/', coalesce(kept.leads, 0), coalesce(kept.sales, 0)) AS stored,
    concat_ws('/', coalesce(event.leads, 0), coalesce(event.sales, 0)) AS expected
  FROM (SELECT * FROM daily_conversions WHERE ${notMarked(programId)}) kept
  FULL JOIN (
    SELECT link_id, partner_id, day, sum(leads) AS leads, sum(sales) AS sales FROM (${conversionsByLink(finished(programId))}) one
    GROUP BY link_id, partner_id, day) event USING (link_id, partner_id, day)
  WHERE (kept.leads, kept.sales) IS DISTINCT FROM (event.leads, event.sales)
  ORDER BY day, link_id`

const DIMENSIONS = sql`(VALUES ('country'), ('device'), ('browser'), ('os'), ('referrer'), ('landing')) every(dimension)`

/** Per link, and per day for each other dimension. */
const differingMoney = (programId: number) => sql<Cell>`
  WITH earned AS (${moneyByLink(finished(programId))}), expected AS (
    SELECT 'link ' || link_id AS name, day, currency, sum(revenue_cents) AS revenue, sum(commission_cents) AS commission
    FROM earned GROUP BY 1, 2, 3
    UNION ALL
    SELECT dimension, day, currency, sum(revenue_cents), sum(commission_cents)
    FROM earned CROSS JOIN ${DIMENSIONS} GROUP BY 1, 2, 3
  ), stored AS (
    SELECT CASE dimension WHEN 'link' THEN 'link ' || value ELSE dimension END AS name, day, currency,
      sum(revenue_cents) AS revenue, sum(commission_cents) AS commission
    FROM daily_money WHERE ${notMarked(programId)} GROUP BY 1, 2, 3)
  SELECT format('%s of %s on %s', currency, name, day) AS cell, concat_ws('/', coalesce(stored.revenue, 0), coalesce(stored.commission, 0)) AS stored,
    concat_ws('/', coalesce(expected.revenue, 0), coalesce(expected.commission, 0)) AS expected
  FROM stored FULL JOIN expected USING (name, day, currency)
  WHERE (coalesce(stored.revenue, 0), coalesce(stored.commission, 0)) <> (coalesce(expected.revenue, 0), coalesce(expected.commission, 0))
  ORDER BY day, name, currency`

const differingBreakdowns = (programId: number) => sql<Cell>`
  SELECT format('leads/sales by %s on %s', dimension, day) AS cell, concat_ws('/', coalesce(kept.leads, 0), coalesce(kept.sales, 0)) AS stored,
    concat_ws('/', coalesce(event.leads, 0), coalesce(event.sales, 0)) AS expected
  FROM (
    SELECT dimension, day, sum(leads) AS leads, sum(sales) AS sales FROM daily_breakdowns WHERE ${notMarked(programId)} GROUP BY 1, 2) kept
  FULL JOIN (
    SELECT dimension, day, sum(leads) AS leads, sum(sales) AS sales
    FROM (${conversionsByLink(finished(programId))}) one CROSS JOIN ${DIMENSIONS} GROUP BY 1, 2) event
  USING (dimension, day)
  WHERE (coalesce(kept.leads, 0), coalesce(kept.sales, 0)) <> (coalesce(event.leads, 0), coalesce(event.sales, 0))
  ORDER BY day, dimension`

/** Ignores clicks after the watermark: when a program's time zone moves west, a finished day continues. */
const differingClicks = (programId: number) => sql<Cell>`
  SELECT format('clicks by %s on %s', dimension, day) AS cell, coalesce(kept.clicks, 0)::text AS stored, coalesce(counted.clicks, 0)::text AS expected
  FROM (
    SELECT dimension, day, sum(daily_breakdowns.clicks) AS clicks FROM daily_breakdowns
    JOIN roll_ups USING (program_id) WHERE program_id = ${programId} AND day <= checked_day GROUP BY 1, 2) kept
  FULL JOIN (
    SELECT dimension, day, sum(clicks) AS clicks FROM (
      SELECT day, clicks FROM daily_counts JOIN roll_ups USING (program_id) WHERE program_id = ${programId} AND day <= checked_day
      UNION ALL
      SELECT day, -1 FROM click_events JOIN roll_ups USING (program_id)
      WHERE program_id = ${programId} AND clicked_at > counted_until AND day <= checked_day AND device IS DISTINCT FROM 'bot') one
    CROSS JOIN ${DIMENSIONS} GROUP BY 1, 2) counted USING (dimension, day)
  WHERE coalesce(kept.clicks, 0) <> coalesce(counted.clicks, 0)
  ORDER BY day, dimension`

const differingWeeks = (programId: number) => sql<Cell>`
  SELECT format('clicks of link %s, partner %s in the week of %s', link_id, partner_id, week) AS cell,
    coalesce(kept.clicks, 0)::text AS stored, coalesce(counted.clicks, 0)::text AS expected
  FROM (SELECT week, link_id, partner_id, clicks FROM weekly_clicks WHERE program_id = ${programId}) kept
  FULL JOIN (
    SELECT date_trunc('week', day)::date AS week, link_id, partner_id, sum(clicks) AS clicks FROM daily_counts
    JOIN roll_ups USING (program_id) WHERE program_id = ${programId} AND day <= summed_week + 6 GROUP BY 1, 2, 3) counted
  USING (week, link_id, partner_id)
  WHERE coalesce(kept.clicks, 0) <> coalesce(counted.clicks, 0)
  ORDER BY week, link_id`

/**
 * Every customer's first sale in one pass. The roll-up looks it up for each sale of a day, which would take the square of a
 * customer's sales here.
 */
const firstSales = (programId: number) => sql`first AS MATERIALIZED (
  SELECT DISTINCT ON (click_id) click_id, id, day FROM sales
  WHERE program_id = ${programId} AND credit_source IS NOT NULL AND voided_at IS NULL ORDER BY click_id, sold_at, id)`

/** Without the days that changed with a customer's first sale, which are marked once that is rolled up. */
const notChanged = (programId: number) =>
  sql`program_id = ${programId} AND day <> ALL ((SELECT days FROM changed)::date[])`

const differingCustomers = (programId: number) => sql<Cell>`
  WITH ${changedCustomerDays(programId)}, ${firstSales(programId)}, expected AS (
    SELECT sale.day, sale.currency, date_trunc('month', first.day)::date AS cohort,
      count(*) FILTER (WHERE sale.id = first.id) AS first_sales, count(*) FILTER (WHERE sale.id <> first.id) AS renewals,
      sum(sale.amount_cents) AS cents
    FROM (SELECT * FROM sales WHERE ${notChanged(programId)} AND voided_at IS NULL) sale JOIN first USING (click_id) GROUP BY 1, 2, 3
  ), stored AS (
    SELECT day, currency, cohort, first_sales, renewals, first_cents + renewal_cents AS cents FROM daily_customers WHERE ${notChanged(programId)})
  SELECT format('first sales/renewals in %s of customers since %s on %s', currency, cohort, day) AS cell,
    concat_ws('/', stored.first_sales, stored.renewals, stored.cents) AS stored,
    concat_ws('/', expected.first_sales, expected.renewals, expected.cents) AS expected
  FROM stored FULL JOIN expected USING (day, currency, cohort)
  WHERE (stored.first_sales, stored.renewals, stored.cents) IS DISTINCT FROM (expected.first_sales, expected.renewals, expected.cents)
  ORDER BY day, cohort, currency`

/** By day only: the roll-up decides the group of each time. */
const differingTimes = (programId: number) => sql<Cell>`
  WITH ${changedCustomerDays(programId)}, ${firstSales(programId)}, expected AS (
    SELECT 'lead' AS step, day, count(*) AS conversions FROM leads WHERE ${notChanged(programId)} AND state = 'settled' GROUP BY day
    UNION ALL
    SELECT 'sale', day, count(*) FROM first WHERE day <> ALL ((SELECT days FROM changed)::date[]) GROUP BY day
  ), stored AS (
    SELECT step, day, sum(conversions) AS conversions FROM daily_conversion_times WHERE ${notChanged(programId)} GROUP BY 1, 2)
  SELECT format('conversion times of %ss on %s', step, day) AS cell, coalesce(stored.conversions, 0)::text AS stored,
    coalesce(expected.conversions, 0)::text AS expected
  FROM stored FULL JOIN expected USING (step, day)
  WHERE coalesce(stored.conversions, 0) <> coalesce(expected.conversions, 0)
  ORDER BY day, step`

/** Both are rolled up together. Days before the oldest hour were dropped. */
const differingHours = (programId: number) => sql<Cell>`
  SELECT format('clicks by hour on %s', day) AS cell, coalesce(stored.clicks, 0)::text AS stored, coalesce(counted.clicks, 0)::text AS expected
  FROM (SELECT day, sum(clicks) AS clicks FROM hourly_clicks WHERE program_id = ${programId} GROUP BY day) stored
  FULL JOIN (
    SELECT day, sum(clicks) AS clicks FROM daily_breakdowns
    WHERE program_id = ${programId} AND dimension = 'device' AND clicks > 0
      AND day >= (SELECT min(day) FROM hourly_clicks WHERE program_id = ${programId}) GROUP BY day) counted USING (day)
  WHERE coalesce(stored.clicks, 0) <> coalesce(counted.clicks, 0)
  ORDER BY day`

/** Past days only, without clicks after the watermark. Days before the oldest hour were dropped. */
const differingPartnerHours = (programId: number) => sql<Cell>`
  WITH span AS (
    SELECT checked_day AS last, counted_until, (SELECT min(day) FROM hourly_partner_clicks WHERE program_id = ${programId}) AS first
    FROM roll_ups WHERE program_id = ${programId})
  SELECT format('clicks by hour of partner %s on %s', partner_id, day) AS cell, coalesce(stored.clicks, 0)::text AS stored,
    coalesce(counted.clicks, 0)::text AS expected
  FROM (
    SELECT partner_id, day, sum(clicks) AS clicks FROM hourly_partner_clicks, span
    WHERE program_id = ${programId} AND day <= last GROUP BY 1, 2) stored
  FULL JOIN (
    SELECT partner_id, day, sum(clicks) AS clicks FROM (
      SELECT partner_id, day, clicks FROM daily_counts, span WHERE program_id = ${programId} AND day BETWEEN first AND last
      UNION ALL
      SELECT partner_id, day, -1 FROM click_events, span
      WHERE program_id = ${programId} AND clicked_at > counted_until AND day BETWEEN first AND last AND device IS DISTINCT FROM 'bot') one
    GROUP BY 1, 2) counted USING (partner_id, day)
  WHERE coalesce(stored.clicks, 0) <> coalesce(counted.clicks, 0)
  ORDER BY day, partner_id`

const notRefunded = (programId: number) =>
  sql`program_id = ${programId} AND day <> ALL ((SELECT days FROM refunded)::date[])`

const differingRefunds = (programId: number) => sql<Cell>`
  WITH ${refundedCustomerDays(programId)}, ${firstSales(programId)}, expected AS (
    SELECT sale.day, sale.currency, date_trunc('month', first.day)::date AS cohort, sum(${selectLostCents}) AS cents
    FROM (SELECT * FROM sales WHERE ${notRefunded(programId)} AND voided_at IS NULL) sale JOIN first USING (click_id)
    WHERE EXISTS (SELECT FROM refunds WHERE refunds.program_id = sale.program_id AND refunds.sale_id = sale.id)
      OR EXISTS (SELECT FROM processor_refunds processor WHERE processor.program_id = sale.program_id AND processor.sale_id = sale.id)
      OR EXISTS (SELECT FROM disputes WHERE disputes.program_id = sale.program_id AND disputes.sale_id = sale.id)
      OR EXISTS (SELECT FROM sales merged WHERE merged.program_id = sale.program_id AND merged.merged_into = sale.id)
    GROUP BY 1, 2, 3)
  SELECT format('refunds in %s of customers since %s on %s', currency, cohort, day) AS cell,
    coalesce(stored.refunded_cents, 0)::text AS stored, coalesce(expected.cents, 0)::text AS expected
  FROM (SELECT * FROM daily_refunds WHERE ${notRefunded(programId)}) stored
  FULL JOIN expected USING (day, currency, cohort)
  WHERE coalesce(stored.refunded_cents, 0) <> coalesce(expected.cents, 0)
  ORDER BY day, cohort, currency`
