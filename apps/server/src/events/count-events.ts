import type { EventsQuery } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Program } from '../programs/programs.ts'
import { countClicks } from './count-clicks.ts'
import { canMatch, matchesFilter } from './event-filters.ts'
import { type Source, sourcesOf } from './event-sources.ts'
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
