import type { Performance, PeriodQuery } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Program } from '../programs/programs.ts'
import { convertedByLink, moneyByLink } from './facts.ts'
import { countsOfPartner } from './known-counts.ts'
import { countsOfOpenDays } from './open-days.ts'
import { type Days, daysOf } from './periods.ts'
import { findMark, type Mark } from './roll-up-marks.ts'

type Day = Performance['days'][number]
type Money = { day: string; currency: string; revenueCents: number; commissionCents: number }
type Asked = { program: Program; query: PeriodQuery; at: Date; partnerId?: number | null }

/**
 * Clicks, leads, sales, credited revenue and commissions by day of the program's time zone; a day without events is there,
 * with zeros. All from counts: no click is looked at, and of the sales only those that are not rolled up yet.
 */
export const performanceOf = async (
  db: Database,
  { program, query, at, partnerId = null }: Asked,
): Promise<Performance> => {
  const [mark, { previous, today, ...days }] = await Promise.all([
    partnerId === null ? findMark(db, program.id) : undefined,
    daysOf(db, { program, query, at }),
  ])
  const whole = { firstDay: previous?.firstDay ?? days.firstDay, lastDay: days.lastDay, partnerId }
  const [counted, money] = await Promise.all([
    countsByDay(db, program, { ...whole, mark, today }),
    moneyByDay(db, program, whole),
  ])
  const merged = counted.map((day) => ({ ...day, ...amountsOf(money.filter((row) => row.day === day.date)) }))
  const between = ({ firstDay, lastDay }: Days) => merged.filter(({ date }) => date >= firstDay && date <= lastDay)
  return {
    period: query.dateFrom ? 'custom' : query.period,
    timezone: program.timezone,
    dateFrom: days.firstDay,
    dateTo: days.lastDay,
    totals: totalsOf(between(days)),
    previous: previous && {
      dateFrom: previous.firstDay,
      dateTo: previous.lastDay,
      totals: totalsOf(between(previous)),
    },
    days: between(days),
  }
}

type Range = Days & { partnerId: number | null }

type Count = Pick<Day, 'date' | 'clicks' | 'leads' | 'sales'>

type Asking = Range & { mark: Mark | undefined; today: string }

const countsByDay = async (db: Database, program: Program, range: Asking) => {
  const { firstDay, lastDay, partnerId, mark, today } = range
  // Where the program was moved to the west, a day that was over and checked goes on.
  const checked = mark && mark.checkedDay < today ? mark : undefined
  const open = checked && (await countsOfOpenDays(db, { programId: program.id, mark: checked, lastDay }))
  const counts =
    partnerId === null
      ? countsOfProgram(program, range, { today, until: open ? checked.checkedDay : null })
      : partnersCounts(program, range, partnerId)
  const { rows } = await sql<Count>`
    SELECT to_char(calendar.day, 'YYYY-MM-DD') AS date, coalesce(counted.clicks, 0)::bigint AS clicks,
      coalesce(counted.leads, 0)::bigint AS leads, coalesce(counted.sales, 0)::bigint AS sales
    FROM (SELECT day::date FROM generate_series(${firstDay}::date, ${lastDay}::date, interval '1 day') day) calendar
    LEFT JOIN (
      SELECT day, sum(clicks) AS clicks, sum(leads) AS leads, sum(sales) AS sales FROM (${counts}) every
      GROUP BY day) counted USING (day)
    ORDER BY calendar.day`.execute(db)
  return open ? rows.map((row) => open.get(row.date) ?? row) : rows
}

const within = ({ firstDay, lastDay }: Days) => sql`day BETWEEN ${firstDay}::date AND ${lastDay}::date`

const partnersCounts = (program: Program, range: Range, partnerId: number) => sql`
  SELECT day, clicks, leads, sales FROM daily_counts
  WHERE program_id = ${program.id} AND ${within(range)} AND ${countsOfPartner(program.id, partnerId)}`

/**
 * The counts have a row for every link and day, which for thousands of links is more than a page can wait for. Days that are
 * over and were held against them are taken from the roll-up, where a day has a few rows; what was credited to them since is added.
 * Only up to `until`, where somebody else knows the days after it.
 */
const countsOfProgram = (program: Program, range: Range, { today, until }: { today: string; until: string | null }) => {
  const ofRollUp = (column: string) => sql`(SELECT ${sql.raw(column)} FROM roll_ups WHERE program_id = ${program.id})`
  const checked = until
    ? sql`${until}::date`
    : sql`least(coalesce(${ofRollUp('checked_day')}, '-infinity'), ${today}::date - 1)`
  const since = { programId: program.id, after: ofRollUp('counted_until'), until: sql`'infinity'` }
  return sql`
    SELECT day, clicks, leads, sales FROM daily_breakdowns
    WHERE program_id = ${program.id} AND dimension = 'device' AND ${within(range)} AND day <= ${checked}
    UNION ALL
    SELECT day, clicks, leads, sales FROM (${convertedByLink(since)}) recent WHERE ${within(range)} AND day <= ${checked}
    UNION ALL
    SELECT day, clicks, leads, sales FROM daily_counts
    WHERE program_id = ${program.id} AND ${within(range)} AND day > ${until ? sql`'infinity'` : checked}`
}

/** What is rolled up, and what came since, in one snapshot. Of the whole program it is read by device, which has the fewest rows. */
const moneyByDay = async (db: Database, program: Program, range: Range) => {
  const { partnerId } = range
  const after = sql`(SELECT coalesce(max(counted_until), '-infinity') FROM roll_ups WHERE program_id = ${program.id})`
  const ofPartner =
    partnerId === null
      ? sql``
      : sql`AND value IN (SELECT id::text FROM referral_links WHERE program_id = ${program.id} AND partner_id = ${partnerId})`
  const { rows } = await sql<Money>`
    SELECT day, currency, sum(revenue_cents)::bigint AS revenue_cents, sum(commission_cents)::bigint AS commission_cents FROM (
      SELECT day, value, currency, revenue_cents, commission_cents FROM daily_money
      WHERE program_id = ${program.id} AND dimension = ${partnerId === null ? 'device' : 'link'} AND ${within(range)}
      UNION ALL
      SELECT day, link_id::text, currency, revenue_cents, commission_cents
      FROM (${moneyByLink({ programId: program.id, after, until: sql`'infinity'` })}) recent WHERE ${within(range)}) money
    WHERE true ${ofPartner}
    GROUP BY day, currency ORDER BY day, currency`.execute(db)
  return rows
}

const amountsOf = (rows: Omit<Money, 'day'>[]) => ({
  revenue: rows
    .filter((row) => row.revenueCents > 0)
    .map((row) => ({ currency: row.currency, amountCents: row.revenueCents })),
  commissions: rows
    .filter((row) => row.commissionCents > 0)
    .map((row) => ({ currency: row.currency, amountCents: row.commissionCents })),
})

const totalsOf = (days: Day[]): Performance['totals'] => {
  const sum = (name: 'clicks' | 'leads' | 'sales') => days.reduce((total, day) => total + day[name], 0)
  return {
    clicks: sum('clicks'),
    leads: sum('leads'),
    sales: sum('sales'),
    revenue: sumByCurrency(days.flatMap((day) => day.revenue)),
    commissions: sumByCurrency(days.flatMap((day) => day.commissions)),
  }
}

const sumByCurrency = (amounts: Day['revenue']) => {
  const sums = new Map<string, number>()
  for (const { currency, amountCents } of amounts) sums.set(currency, (sums.get(currency) ?? 0) + amountCents)
  return [...sums]
    .map(([currency, amountCents]) => ({ currency, amountCents }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))
}
