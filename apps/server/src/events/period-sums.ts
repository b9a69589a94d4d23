import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'
import { addDays } from './days.ts'
import { countedByLink } from './facts.ts'
import type { Days } from './periods.ts'

/** The periods that the overview offers; 0 is all. */
export const PERIOD_DAYS = [0, 7, 30, 90] as const

/** The first of the days that are in the sum of a period: today is the one after `summedDay`. */
export const firstSummed = (days: number, summedDay: string) =>
  days === 0 ? '-infinity' : addDays(summedDay, 2 - days)

/** The counts of some days as they stood at a moment: what began to count after it is taken out. */
export const countsAsOf = ({ programId, until }: { programId: number; until: Date }, { firstDay, lastDay }: Days) => {
  const within = sql`day BETWEEN ${firstDay}::date AND ${lastDay}::date`
  const since = { programId, after: sql`${until}::timestamptz`, until: sql`'infinity'` }
  return sql`
    SELECT link_id, partner_id, day, clicks, leads, sales FROM daily_counts WHERE program_id = ${programId} AND ${within}
    UNION ALL
    SELECT link_id, partner_id, day, -clicks, -leads, -sales FROM (${countedByLink(since)}) recent WHERE ${within}`
}

export const moneyOfLinks = (programId: number, { firstDay, lastDay }: Days) => sql`
  SELECT value::integer AS link_id, currency, revenue_cents, commission_cents FROM daily_money
  WHERE program_id = ${programId} AND dimension = 'link' AND day BETWEEN ${firstDay}::date AND ${lastDay}::date`

export const addToCounts = (tx: Tx, programId: number, rows: RawBuilder<unknown>) =>
  sql`
  INSERT INTO period_counts (program_id, days, link_id, partner_id, clicks, leads, sales)
  SELECT ${programId}, days, link_id, partner_id, sum(clicks), sum(leads), sum(sales) FROM (${rows}) part
  GROUP BY days, link_id, partner_id HAVING sum(clicks) <> 0 OR sum(leads) <> 0 OR sum(sales) <> 0
  ON CONFLICT (program_id, days, link_id, partner_id) DO UPDATE SET clicks = period_counts.clicks + excluded.clicks,
    leads = period_counts.leads + excluded.leads, sales = period_counts.sales + excluded.sales`.execute(tx)

export const addToMoney = (tx: Tx, programId: number, rows: RawBuilder<unknown>) =>
  sql`
  INSERT INTO period_money (program_id, days, link_id, currency, revenue_cents, commission_cents)
  SELECT ${programId}, days, link_id, currency, sum(revenue_cents), sum(commission_cents) FROM (${rows}) part
  GROUP BY days, link_id, currency HAVING sum(revenue_cents) <> 0 OR sum(commission_cents) <> 0
  ON CONFLICT (program_id, days, link_id, currency) DO UPDATE SET
    revenue_cents = period_money.revenue_cents + excluded.revenue_cents,
    commission_cents = period_money.commission_cents + excluded.commission_cents`.execute(tx)

/** What has left a period altogether. */
export const dropEmpty = async (tx: Tx, { programId, days }: { programId: number; days: number }) => {
  await sql`DELETE FROM period_counts
    WHERE program_id = ${programId} AND days = ${days} AND clicks = 0 AND leads = 0 AND sales = 0`.execute(tx)
  await sql`DELETE FROM period_money
    WHERE program_id = ${programId} AND days = ${days} AND revenue_cents = 0 AND commission_cents = 0`.execute(tx)
}

type Late = { programId: number; summedDay: string | null; counts: RawBuilder<unknown>; money: RawBuilder<unknown> }

/** What is rolled up, or recounted, on days that are in the sums already. */
export const addLate = async (tx: Tx, { programId, summedDay, counts, money }: Late) => {
  if (summedDay === null) return
  const summed = sql`JOIN (VALUES ${sql.join(
    PERIOD_DAYS.map((days) => sql`(${sql.lit(days)}::smallint, ${firstSummed(days, summedDay)}::date)`),
  )}) period(days, first_day) ON fact.day BETWEEN period.first_day AND ${summedDay}::date`
  await addToCounts(tx, programId, sql`SELECT * FROM (${counts}) fact ${summed}`)
  await addToMoney(tx, programId, sql`SELECT * FROM (${money}) fact ${summed}`)
}
