import { type RawBuilder, sql } from 'kysely'
import type { Program } from '../programs/programs.ts'
import { matchesFilter } from './event-filters.ts'
import type { Filter } from './event-sources.ts'
import { SOURCES, type Source } from './event-sources.ts'
import { hasCounts } from './overview/known-counts.ts'

/** At most this many recent clicks are counted individually. */
const MAX_RECENT = 10_000
/** Crawlers are excluded from the counts, and some sites have more of them than human visitors. */
const MAX_CRAWLERS = 2_000

const CLICKS: Source = { type: 'click', test: false, rank: 0, ...SOURCES.click }

/** Counts all stored clicks, including crawlers, without scanning them; `cut` means there may be more. */
export const countClicks = (program: Program, filter: Filter): RawBuilder<unknown> => {
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
