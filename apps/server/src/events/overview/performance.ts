import type { Performance, PeriodQuery } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { readHashed } from '../../database/transaction.ts'
import type { Program } from '../../programs/programs.ts'
import { conversionsByDay, conversionsOf, moneyByDay, moneyByLinks } from './conversions.ts'
import { hasHours, readDayToDate, readHours } from './hours.ts'
import { countsOfPartner } from './known-counts.ts'
import { manualFacts } from './manual-facts.ts'
import { type Days, daysOf, within } from './periods.ts'
import { amountsOf, totalsOf } from './totals.ts'

type Day = Performance['days'][number]
type Money = { day: string; currency: string; revenueCents: number; commissionCents: number }
type PerformanceOptions = {
  program: Program
  query: PeriodQuery & { compare?: 'previous' | undefined }
  at: Date
  partnerId?: number | null
}

/**
 * Clicks, leads, sales, attributed revenue and commissions by day in the program's time zone, including what members decided
 * manually; days without events have zeros.
 * Reads no clicks, and leads and sales only of days that changed since the last roll-up.
 */
export const readPerformance = async (
  db: Database,
  { program, query, at, partnerId = null }: PerformanceOptions,
): Promise<Performance> => {
  const { previous, today, ...days } = await daysOf(db, { program, query, at })
  const whole = { firstDay: previous?.firstDay ?? days.firstDay, lastDay: days.lastDay, partnerId }
  const [counted, money] = await Promise.all([
    countsByDay(db, program, { ...whole, today }),
    readMoney(db, program, whole),
  ])
  const merged = counted.map((day) => ({ ...day, ...amountsOf(money.filter((row) => row.day === day.date)) }))
  const between = ({ firstDay, lastDay }: Days) => merged.filter(({ date }) => date >= firstDay && date <= lastDay)
  const hoursOf = async ({ firstDay, lastDay }: Days) =>
    firstDay === lastDay && hasHours({ day: firstDay, today, partnerId })
      ? readHours(db, { program, day: firstDay, at, partnerId })
      : null
  const describePrevious = async (before: Days) => {
    const isRunning = days.lastDay === today && hasHours({ day: before.lastDay, today, partnerId })
    const earlier = between(before)
    const isCompared = query.compare === 'previous'
    return {
      dateFrom: before.firstDay,
      dateTo: before.lastDay,
      totals: totalsOf(earlier),
      toDate: isRunning
        ? totalsOf([...earlier.slice(0, -1), await readDayToDate(db, { program, day: before.lastDay, at, partnerId })])
        : null,
      days: isCompared ? earlier : null,
      hours: isCompared ? await hoursOf(before) : null,
    }
  }
  return {
    period: query.dateFrom ? 'custom' : query.period,
    timezone: program.timezone,
    asOf: at.toISOString(),
    kept: false,
    dateFrom: days.firstDay,
    dateTo: days.lastDay,
    totals: totalsOf(between(days)),
    previous: previous && (await describePrevious(previous)),
    days: between(days),
    hours: await hoursOf(days),
  }
}

type Range = Days & { partnerId: number | null }

type Count = Pick<Day, 'date' | 'clicks' | 'leads' | 'sales'>

const countsByDay = (db: Database, program: Program, range: Range & { today: string }) => {
  const { firstDay, lastDay, partnerId } = range
  const counts = partnerId === null ? programCounts(program, range) : partnerCounts(program, range, partnerId)
  const days = sql<Count>`
    SELECT to_char(calendar.day, 'YYYY-MM-DD') AS date, coalesce(counted.clicks, 0)::bigint AS clicks,
      coalesce(counted.leads, 0)::bigint AS leads, coalesce(counted.sales, 0)::bigint AS sales
    FROM (SELECT day::date FROM generate_series(${firstDay}::date, ${lastDay}::date, interval '1 day') day) calendar
    LEFT JOIN (
      SELECT day, sum(clicks) AS clicks, sum(leads) AS leads, sum(sales) AS sales FROM (${counts}) every
      GROUP BY day) counted USING (day)
    ORDER BY calendar.day`
  return readHashed(db, days)
}

const partnerCounts = (program: Program, range: Range, partnerId: number) => {
  const condition = sql`${within(range)} AND ${countsOfPartner(program.id, partnerId)}`
  return sql`
    SELECT day, clicks, 0 AS leads, 0 AS sales FROM daily_counts WHERE program_id = ${program.id} AND ${condition}
    UNION ALL
    SELECT day, 0, leads, sales FROM (${conversionsOf(program.id)}) fact WHERE ${condition}
    UNION ALL
    SELECT day, 0, 0, sales FROM (${manualFacts(program.id)}) fact WHERE ${within(range)} AND partner_id = ${partnerId}`
}

/**
 * The daily counts have a row per link, which is too slow for thousands of links. For past days that were reconciled, clicks come
 * from the roll-up, which has a few rows per day. If the program moved to a time zone further west, a past day can continue.
 */
const programCounts = ({ id }: Program, range: Range & { today: string }) => {
  const checked = sql`least(coalesce((SELECT checked_day FROM roll_ups WHERE program_id = ${id}), '-infinity'), ${range.today}::date - 1)`
  return sql`
    SELECT day, clicks, 0 AS leads, 0 AS sales FROM daily_breakdowns
    WHERE program_id = ${id} AND dimension = 'device' AND ${within(range)} AND day <= ${checked}
    UNION ALL
    SELECT day, clicks, 0, 0 FROM daily_counts WHERE program_id = ${id} AND ${within(range)} AND day > ${checked}
    UNION ALL
    SELECT day, 0, leads, sales FROM (${conversionsByDay(id)}) fact WHERE ${within(range)}
    UNION ALL
    SELECT day, 0, 0, sales FROM (${manualFacts(id)}) fact WHERE ${within(range)}`
}

const readMoney = (db: Database, { id }: Program, range: Range) => {
  const { partnerId } = range
  const money =
    partnerId === null
      ? moneyByDay(id)
      : moneyByLinks(
          id,
          sql`SELECT id FROM referral_links WHERE program_id = ${id} AND partner_id = ${partnerId}
          UNION ALL SELECT -(${partnerId}::integer)`,
        )
  const isOwn = partnerId === null ? sql`` : sql`WHERE partner_id = ${partnerId}`
  const sums = sql<Money>`
    SELECT day, currency, sum(revenue_cents)::bigint AS revenue_cents, sum(commission_cents)::bigint AS commission_cents
    FROM (
      SELECT day, currency, revenue_cents, commission_cents FROM (${money}) counted UNION ALL
      SELECT day, currency, revenue_cents, commission_cents FROM (${manualFacts(id)}) manual ${isOwn}) fact
    WHERE ${within(range)}
    GROUP BY day, currency ORDER BY day, currency`
  return readHashed(db, sums)
}
