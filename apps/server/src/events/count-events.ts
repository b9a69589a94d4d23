import type { EventsQuery } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Program } from '../programs/programs.ts'
import { canMatch, matchesFilter } from './event-filters.ts'
import { type Filter, SOURCES, type Source, sourcesOf } from './event-sources.ts'
import { hasCounts, knownClicks, knownConversions } from './overview/known-counts.ts'

/** Leads, sales and tests are counted individually up to this many; ten times as many dominated the page's response time. */
const MAX_COUNTED = 1_000

/** Counts events in bounded time; `atLeast` means there may be more. */
export const countEvents = async (db: Database, program: Program, query: EventsQuery) => {
  const parts = sourcesOf(query)
    .filter((source) => canMatch(query, source))
    .map((source) => countSource(program, query, source))
  if (parts.length === 0) return { total: 0, atLeast: false }
  // Materialized: each is read once, and only if a part uses it.
  const known = hasCounts(query)
    ? sql`WITH known AS MATERIALIZED (${knownClicks(program, query)}), converted AS MATERIALIZED (${knownConversions(program.id, query)})`
    : sql``
  const { rows } = await sql<{ total: number; cut: boolean }>`${known}
    SELECT sum(total)::bigint AS total, bool_or(cut) AS cut FROM (${sql.join(parts, sql` UNION ALL `)}) counted`.execute(
    db,
  )
  return { total: rows[0]?.total ?? 0, atLeast: rows[0]?.cut ?? false }
}

const countSource = (program: Program, query: EventsQuery, source: Source): RawBuilder<unknown> => {
  if (source.type === 'click' && !source.test && !query.search) return countClicks(program, query)
  return sql`
    SELECT coalesce(many.total, found.total) AS total, many.total IS NOT NULL OR found.total >= ${MAX_COUNTED} AS cut
    FROM (${knownTotal(query, source)}) many
    CROSS JOIN LATERAL (SELECT count(*) AS total FROM (
      SELECT 1 FROM ${sql.raw(source.from)} WHERE many.total IS NULL AND ${matchesFilter(program, query, source)}
      LIMIT ${sql.lit(MAX_COUNTED)}) one) found`
}

/**
 * For large counts, uses the rolled-up number instead of scanning. The roll-up has only attributed events and the list has all,
 * so it is a lower bound. Leads are counted on the day they settled but listed by the day they were created, so with a date
 * filter the roll-up cannot be used.
 */
const knownTotal = (query: EventsQuery, { type, test }: Source) => {
  if (test || query.dateFrom || query.dateTo || !hasCounts(query)) return sql`SELECT NULL::bigint AS total`
  const column = sql.raw(type === 'lead' ? 'leads' : 'sales')
  return sql`SELECT max(${column}) AS total FROM converted WHERE ${column} >= ${MAX_COUNTED}`
}

/** At most this many recent clicks are counted individually. */
const MAX_RECENT = 10_000
/** Crawlers are excluded from the counts, and some sites have more of them than human visitors. */
const MAX_CRAWLERS = 2_000

const CLICKS: Source = { type: 'click', test: false, rank: 0, ...SOURCES.click }

/** Counts all stored clicks, including crawlers, without scanning them; `cut` means there may be more. */
const countClicks = (program: Program, filter: Filter): RawBuilder<unknown> => {
  if (!hasCounts(filter)) return countAmongNewest(program, filter, sql`true`, MAX_RECENT)
  const isPerson = sql`device IS DISTINCT FROM 'bot'`
  // Clicks left on the last day that lost some are counted individually.
  const isOnPartialDay = sql`clicked_at < coalesce(known.since, '-infinity') + interval '2 days' AND day <= known.kept_day`
  // A day's breakdown keeps two hundred countries; clicks from others are missing from it.
  const mayBeMore = filter.country ? sql`true` : sql`recent.cut OR crawlers.cut`
  return sql`
    SELECT (known.clicks + recent.total + remainder.total + crawlers.total)::bigint AS total, ${mayBeMore} AS cut
    FROM known
    CROSS JOIN LATERAL (${countAmongNewest(program, filter, sql`clicked_at > known.until AND ${isPerson}`, MAX_RECENT)}) recent
    CROSS JOIN LATERAL (${countAmongNewest(program, filter, sql`${isOnPartialDay} AND ${isPerson}`, null)}) remainder
    CROSS JOIN LATERAL (${countAmongNewest(program, filter, sql`device = 'bot'`, MAX_CRAWLERS)}) crawlers`
}

/** Clicks have no index by partner, link or country, so scan the newest ones and count the matches. */
const countAmongNewest = (program: Program, filter: Filter, condition: RawBuilder<unknown>, max: number | null) => {
  const { dateFrom, dateTo, partnerId, linkId, country } = filter
  return sql`
    SELECT count(*) FILTER (WHERE true ${partnerId ? sql`AND partner_id = ${partnerId}` : sql``}
      ${linkId ? sql`AND link_id = ${linkId}` : sql``} ${country ? sql`AND country = ${country}` : sql``}) AS total,
      coalesce(count(*) >= ${max}::integer, false) AS cut
    FROM (
      SELECT partner_id, link_id, country FROM ${sql.raw(CLICKS.from)}
      WHERE ${matchesFilter(program, { dateFrom, dateTo }, CLICKS)} AND ${condition}
      ORDER BY clicked_at DESC LIMIT ${max}::integer) newest`
}
