import { type RawBuilder, sql } from 'kysely'
import type { Program } from '../../programs/programs.ts'
import type { Filter } from '../event-sources.ts'
import { conversionsByDay, conversionsOf } from './conversions.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/
const isDay = (text: string | undefined) => text === undefined || DAY.test(text)

/** Whether the counts, which are by day and by link, partner or country, can answer this filter. */
export const hasCounts = ({ dateFrom, dateTo, partnerId, linkId, country, search }: Filter) =>
  !search && !(country && (partnerId || linkId)) && isDay(dateFrom) && isDay(dateTo)

/** A link never changes its partner, so go through the links, and what the partner is credited for by code: the key of the counts starts with link_id. */
export const countsOfPartner = (
  programId: number,
  partnerId: number | RawBuilder<unknown>,
) => sql`partner_id = ${partnerId}
  AND link_id IN (SELECT id FROM referral_links WHERE program_id = ${programId} AND partner_id = ${partnerId}
    UNION ALL SELECT -(${partnerId}::integer))`

/**
 * One row with the counted clicks that match the filter, up to `until` (null means now). Excludes clicks up to the end of
 * `kept_day`, which may have been dropped (database/schema/retention.ts).
 */
export const knownClicks = ({ id, timezone }: Program, filter: Filter): RawBuilder<unknown> => sql`
  SELECT ${countedUntil(filter)} AS until, since, kept_day,
    coalesce(sum(clicks) FILTER (WHERE kept_day IS NULL OR day > kept_day), 0)::bigint AS clicks
  FROM (
    SELECT since, (since AT TIME ZONE ${timezone})::date AS kept_day, rolled_up_until FROM (
      SELECT (SELECT kept_since FROM click_retention) AS since,
        (SELECT max(counted_until) FROM roll_ups WHERE program_id = ${id}) AS rolled_up_until) one) mark
  LEFT JOIN LATERAL (${countRows(id, filter)}) counted ON true
  GROUP BY rolled_up_until, since, kept_day`

const countedUntil = ({ partnerId, linkId, country }: Filter) => {
  if (partnerId || linkId) return sql`NULL::timestamptz`
  return country ? sql`coalesce(rolled_up_until, '-infinity')` : sql`rolled_up_until`
}

const countRows = (programId: number, filter: Filter) => {
  const { dateFrom, dateTo, partnerId, linkId, country } = filter
  const days = sql`${dateFrom ? sql`AND day >= ${dateFrom}::date` : sql``} ${dateTo ? sql`AND day <= ${dateTo}::date` : sql``}`
  const counts = sql`SELECT day, clicks FROM daily_counts WHERE program_id = ${programId} ${days}`
  const rolledUp = sql`SELECT day, clicks FROM daily_breakdowns WHERE program_id = ${programId} ${days}`
  if (partnerId || linkId) return sql`${counts} AND ${matchesOwner(programId, filter)}`
  if (country) return sql`${rolledUp} AND dimension = 'country' AND value = ${country}`
  // The breakdown has a few rows per day, the counts one per link.
  return sql`
    ${rolledUp} AND dimension = 'device' AND rolled_up_until IS NOT NULL UNION ALL ${counts} AND rolled_up_until IS NULL`
}

const matchesOwner = (programId: number, { partnerId, linkId }: Filter) => sql`
  ${linkId ? sql`link_id = ${linkId}` : sql`true`} AND ${partnerId ? countsOfPartner(programId, partnerId) : sql`true`}`

/** All leads and sales that count, optionally of one partner or link. */
export const knownConversions = (programId: number, filter: Filter): RawBuilder<unknown> => {
  const { partnerId, linkId } = filter
  const rows =
    partnerId || linkId
      ? sql`(${conversionsOf(programId)}) fact WHERE ${matchesOwner(programId, filter)}`
      : sql`(${conversionsByDay(programId)}) fact`
  return sql`SELECT coalesce(sum(leads), 0)::bigint AS leads, coalesce(sum(sales), 0)::bigint AS sales FROM ${rows}`
}
