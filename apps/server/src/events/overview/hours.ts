import type { Counts, Performance } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { readHashed } from '../../database/transaction.ts'
import type { Program } from '../../programs/programs.ts'
import { catchUp } from '../roll-up/catch-up.ts'
import { HOURLY_DAYS, PARTNER_HOURLY_DAYS, quarterOf } from '../roll-up/hourly-clicks.ts'
import { daysBetween } from './days.ts'
import { leadsOf, salesOf } from './facts.ts'
import { manualFacts } from './manual-facts.ts'
import { amountsOf } from './totals.ts'

type Hour = NonNullable<Performance['hours']>[number]
type Row = Pick<Counts, 'clicks' | 'leads' | 'sales'> & { money: Parameters<typeof amountsOf>[0] }

type HoursOf = { day: string; today: string; partnerId: number | null }

export const hasHours = ({ day, today, partnerId }: HoursOf) =>
  daysBetween(day, today) < (partnerId === null ? HOURLY_DAYS : PARTNER_HOURLY_DAYS)

type FactsOf = { day: string; isFresh: boolean; partnerId: number | null }

/**
 * What happened on a day, with its time: at, clicks, leads, sales, currency, revenue_cents, commission_cents. Clicks are rolled up to
 * the quarter hour; those since the watermark are read from their rows if `isFresh`.
 */
const factsOf = (programId: number, { day, isFresh, partnerId }: FactsOf) => {
  const ofPartner = partnerId === null ? sql`` : sql`AND partner_id = ${partnerId}`
  const links = sql`SELECT id FROM referral_links WHERE program_id = ${programId} AND partner_id = ${partnerId}`
  const scope = { programId, days: sql`ARRAY[${day}::date]`, ...(partnerId !== null && { links }) }
  const until = sql`coalesce((SELECT counted_until FROM roll_ups WHERE program_id = ${programId}), '-infinity')`
  const earned = (event: 'lead' | 'sale', time: string) => sql`
    SELECT ${sql.ref(time)}, 0, 0, 0, earned.currency, 0, earned.amount_cents FROM ${event === 'lead' ? leadsOf(scope) : salesOf(scope)}
    JOIN commissions earned ON earned.program_id = ${sql.ref(event)}.program_id AND earned.${sql.ref(`${event}_id`)} = ${sql.ref(event)}.id`
  return sql`
    SELECT quarter AS at, clicks, 0 AS leads, 0 AS sales, NULL AS currency, 0::bigint AS revenue_cents, 0::bigint AS commission_cents
    FROM ${partnerId === null ? sql`hourly_clicks` : sql`hourly_partner_clicks`}
    WHERE program_id = ${programId} AND day = ${day}::date ${ofPartner}
    UNION ALL
    -- A day in any time zone lies within one day before and after its date.
    SELECT clicked_at, 1, 0, 0, NULL, 0, 0 FROM click_events
    WHERE program_id = ${programId} AND clicked_at > greatest(${until}, ${day}::date - interval '1 day')
      AND clicked_at < ${day}::date + interval '2 days' AND day = ${day}::date AND device IS DISTINCT FROM 'bot' AND ${isFresh} ${ofPartner}
    UNION ALL SELECT settled_at, 0, 1, 0, NULL, 0, 0 FROM ${leadsOf(scope)}
    UNION ALL SELECT sold_at, 0, 0, 1, currency, amount_cents, 0 FROM ${salesOf(scope)}
    UNION ALL ${earned('lead', 'settled_at')}
    UNION ALL ${earned('sale', 'sold_at')}
    UNION ALL SELECT at, 0, 0, sales, currency, revenue_cents, commission_cents FROM (${manualFacts(programId)}) manual
    WHERE day = ${day}::date ${ofPartner}`
}

const MONEY = sql`(
  SELECT coalesce(jsonb_agg(jsonb_build_object('currency', currency, 'revenueCents', revenue_cents, 'commissionCents', commission_cents)
    ORDER BY currency), '[]')
  FROM (SELECT currency, sum(revenue_cents)::bigint AS revenue_cents, sum(commission_cents)::bigint AS commission_cents
    FROM fact WHERE currency IS NOT NULL AND belongs GROUP BY currency) one)`

const withAmounts = ({ money, ...row }: Row): Counts => ({ ...row, ...amountsOf(money) })

type DayOptions = { program: Program; day: string; at: Date; partnerId: number | null }

/**
 * A day by hour. Hours are counted from midnight, so the day of a clock change has 23 or 25. Events of the day that happened outside
 * it, because the program has moved to another time zone, count in its first or last hour.
 */
export const readHours = async (db: Database, { program, day, at, partnerId }: DayOptions): Promise<Hour[]> => {
  const { fresh } = await catchUp(db, program, at)
  const zone = program.timezone
  const hours = sql<Row & { startsAt: Date }>`
    WITH bounds AS (
      SELECT ${day}::date::timestamp AT TIME ZONE ${zone} AS first,
        (${day}::date + 1)::timestamp AT TIME ZONE ${zone} - interval '1 microsecond' AS last
    ), fact AS MATERIALIZED (
      SELECT floor(extract(epoch FROM least(greatest(at, first), last) - first) / 3600)::integer AS hour, every.*
      FROM (${factsOf(program.id, { day, isFresh: fresh, partnerId })}) every CROSS JOIN bounds
    ), calendar AS (
      SELECT starts_at, (row_number() OVER (ORDER BY starts_at) - 1)::integer AS hour
      FROM bounds CROSS JOIN LATERAL generate_series(first, last, interval '1 hour') starts_at)
    SELECT calendar.starts_at, coalesce(counted.clicks, 0)::bigint AS clicks, coalesce(counted.leads, 0)::bigint AS leads,
      coalesce(counted.sales, 0)::bigint AS sales, coalesce(amounts.money, '[]') AS money
    FROM calendar
    LEFT JOIN (
      SELECT hour, sum(clicks) AS clicks, sum(leads) AS leads, sum(sales) AS sales FROM fact GROUP BY hour) counted USING (hour)
    LEFT JOIN (
      SELECT hour, jsonb_agg(jsonb_build_object('currency', currency, 'revenueCents', revenue_cents, 'commissionCents', commission_cents)
        ORDER BY currency) AS money
      FROM (SELECT hour, currency, sum(revenue_cents)::bigint AS revenue_cents, sum(commission_cents)::bigint AS commission_cents
        FROM fact WHERE currency IS NOT NULL GROUP BY hour, currency) one
      GROUP BY hour) amounts USING (hour)
    ORDER BY hour`
  return (await readHashed(db, hours)).map(({ startsAt, ...row }) => ({
    startsAt: startsAt.toISOString(),
    ...withAmounts(row),
  }))
}

/** A day up to the time of day that `at` has in the program's time zone, to the quarter hour. */
export const readDayToDate = async (db: Database, { program, day, at, partnerId }: DayOptions): Promise<Counts> => {
  const zone = program.timezone
  const time = sql`(${quarterOf(sql`${at}::timestamptz`)} AT TIME ZONE ${zone})::time`
  const end: RawBuilder<unknown> = sql`((${day}::date + ${time}) AT TIME ZONE ${zone})`
  const counted = sql<Row>`
    WITH fact AS MATERIALIZED (
      SELECT at < ${end} AS belongs, every.* FROM (${factsOf(program.id, { day, isFresh: true, partnerId })}) every)
    SELECT coalesce(sum(clicks), 0)::bigint AS clicks, coalesce(sum(leads), 0)::bigint AS leads,
      coalesce(sum(sales), 0)::bigint AS sales, ${MONEY} AS money
    FROM fact WHERE belongs`
  const rows = await readHashed(db, counted)
  return withAmounts(rows[0] ?? { clicks: 0, leads: 0, sales: 0, money: [] })
}
