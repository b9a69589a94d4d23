import { type Analytics, CONVERSION_TIMES, type PeriodQuery } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Program } from '../../programs/programs.ts'
import { readPerformance } from '../overview/performance.ts'
import { type Days, within } from '../overview/periods.ts'
import { sumByCurrency } from '../overview/totals.ts'
import { changedCustomerDays, conversionTimes, customerFacts } from './customer-facts.ts'

type Part = Analytics['sales']['first']
type Row = {
  day: string
  currency: string
  firstSales: number
  renewals: number
  firstCents: number
  renewalCents: number
}
type Time = { step: 'lead' | 'sale'; bucket: number; conversions: number }

type AnalyticsOptions = { program: Program; query: PeriodQuery; at: Date }

/** Reads no clicks, and leads and sales only of days that changed since the last roll-up. */
export const readAnalytics = async (db: Database, { program, query, at }: AnalyticsOptions): Promise<Analytics> => {
  const { dateFrom, dateTo, totals, days, timezone, asOf, kept } = await readPerformance(db, { program, query, at })
  const range = { firstDay: dateFrom, lastDay: dateTo }
  const [rows, times] = await Promise.all([readSales(db, program.id, range), readTimes(db, program.id, range)])
  const sales = partsOf(rows)
  return {
    timezone,
    asOf,
    kept,
    dateFrom,
    dateTo,
    funnel: { clicks: totals.clicks, leads: totals.leads, customers: sales.first.sales },
    sales,
    days: days.map(({ date }) => ({ date, ...partsOf(rows.filter(({ day }) => day === date)) })),
    timeToLead: bucketsOf(times.filter(({ step }) => step === 'lead')),
    timeToSale: bucketsOf(times.filter(({ step }) => step === 'sale')),
  }
}

const readSales = async (db: Database, programId: number, range: Days) => {
  const days = sql`(SELECT days FROM changed)::date[]`
  const { rows } = await sql<Row>`
    WITH ${changedCustomerDays(programId)}
    SELECT day, currency, sum(first_sales)::bigint AS first_sales, sum(renewals)::bigint AS renewals,
      sum(first_cents)::bigint AS first_cents, sum(renewal_cents)::bigint AS renewal_cents
    FROM (
      SELECT day, currency, first_sales, renewals, first_cents, renewal_cents FROM daily_customers
      WHERE program_id = ${programId} AND ${within(range)} AND day <> ALL (${days})
      UNION ALL
      SELECT day, currency, first_sales, renewals, first_cents, renewal_cents
      FROM (${customerFacts({ programId, days })}) fact WHERE ${within(range)}) every
    GROUP BY day, currency ORDER BY day, currency`.execute(db)
  return rows
}

const readTimes = async (db: Database, programId: number, range: Days) => {
  const days = sql`(SELECT days FROM changed)::date[]`
  const { rows } = await sql<Time>`
    WITH ${changedCustomerDays(programId)}
    SELECT step, bucket, sum(conversions)::bigint AS conversions FROM (
      SELECT step, bucket, conversions FROM daily_conversion_times
      WHERE program_id = ${programId} AND ${within(range)} AND day <> ALL (${days})
      UNION ALL
      SELECT step, bucket, conversions FROM (${conversionTimes({ programId, days })}) fact WHERE ${within(range)}) every
    GROUP BY step, bucket`.execute(db)
  return rows
}

const partsOf = (rows: Row[]): { first: Part; renewals: Part } => {
  const part = (count: 'firstSales' | 'renewals', cents: 'firstCents' | 'renewalCents') => ({
    sales: rows.reduce((sum, row) => sum + row[count], 0),
    revenue: sumByCurrency(
      rows
        .filter((row) => row[cents] > 0)
        .map((row) => ({
          currency: row.currency,
          amountCents: row[cents],
        })),
    ),
  })
  return { first: part('firstSales', 'firstCents'), renewals: part('renewals', 'renewalCents') }
}

const bucketsOf = (times: Time[]): Analytics['timeToLead'] =>
  [...CONVERSION_TIMES, null].map((toSeconds, index) => ({
    fromSeconds: CONVERSION_TIMES[index - 1] ?? 0,
    toSeconds,
    conversions: times.find(({ bucket }) => bucket === index)?.conversions ?? 0,
  }))
