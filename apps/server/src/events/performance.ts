import type { Performance, Period } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Program } from '../programs/programs.ts'
import { dayIn } from './days.ts'

const DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const

type Day = Performance['days'][number]

/** Clicks, leads, sales and credited revenue by day of the program's time zone; a day without events is there, with zeros. */
export const performanceOf = async (
  db: Database,
  { program, period, at }: { program: Program; period: Period; at: Date },
): Promise<Performance> => {
  const lastDay = await dayIn(db, program.timezone, at)
  const firstDay =
    period === 'all'
      ? await firstCountedDay(db, program)
      : sql<string>`(${lastDay}::date - ${DAYS[period] - 1}::integer)`
  const { rows } = await sql<Day>`
    SELECT to_char(calendar.day, 'YYYY-MM-DD') AS date,
      coalesce(counted.clicks, 0)::bigint AS clicks, coalesce(counted.leads, 0)::bigint AS leads, coalesce(counted.sales, 0)::bigint AS sales,
      coalesce(sold.revenue, '[]') AS revenue
    FROM (SELECT day::date FROM generate_series(${firstDay}::date, ${lastDay}::date, interval '1 day') day) calendar
    LEFT JOIN (
      SELECT day, sum(clicks) AS clicks, sum(leads) AS leads, sum(sales) AS sales
      FROM daily_counts WHERE program_id = ${program.id} AND day >= ${firstDay}::date GROUP BY day) counted USING (day)
    LEFT JOIN (
      SELECT day, jsonb_agg(jsonb_build_object('currency', currency, 'amountCents', amount_cents) ORDER BY currency) AS revenue
      FROM (
        SELECT day, currency, sum(amount_cents)::bigint AS amount_cents FROM sales
        WHERE program_id = ${program.id} AND day >= ${firstDay}::date AND click_id IS NOT NULL AND voided_at IS NULL
        GROUP BY day, currency) by_currency
      GROUP BY day) sold USING (day)
    ORDER BY calendar.day`.execute(db)
  return { period, timezone: program.timezone, totals: totalsOf(rows), days: rows }
}

const firstCountedDay = async (db: Database, program: Program) => {
  const counted = await db
    .selectFrom('dailyCounts')
    .select((expression) => expression.fn.min('day').as('day'))
    .where('programId', '=', program.id)
    .executeTakeFirst()
  const created = await dayIn(db, program.timezone, program.createdAt)
  return counted?.day && counted.day < created ? counted.day : created
}

const totalsOf = (days: Day[]): Performance['totals'] => {
  const revenue = new Map<string, number>()
  for (const { currency, amountCents } of days.flatMap((day) => day.revenue))
    revenue.set(currency, (revenue.get(currency) ?? 0) + amountCents)
  const sum = (name: 'clicks' | 'leads' | 'sales') => days.reduce((total, day) => total + day[name], 0)
  return {
    clicks: sum('clicks'),
    leads: sum('leads'),
    sales: sum('sales'),
    revenue: [...revenue].map(([currency, amountCents]) => ({ currency, amountCents })),
  }
}
