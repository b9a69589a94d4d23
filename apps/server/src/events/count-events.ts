import type { EventsQuery } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Program } from '../programs/programs.ts'
import { countClicks } from './count-clicks.ts'
import { isPossible, matching } from './event-filters.ts'
import { type Source, sourcesOf } from './event-sources.ts'
import { isKnown, knownClicks, knownConversions } from './overview/known-counts.ts'

/** Of leads, sales and tests nobody counts more than this one by one: ten times as many took longer than all else of the page. */
const MOST_COUNTED = 1_000

/** How many events there are; `atLeast` where there may be more. However many there are, it takes no longer. */
export const countEvents = async (db: Database, program: Program, query: EventsQuery) => {
  const parts = sourcesOf(query)
    .filter((source) => isPossible(query, source))
    .map((source) => countOf(program, query, source))
  if (parts.length === 0) return { total: 0, atLeast: false }
  // Each is read once, and only if a part asks for it.
  const known = isKnown(query)
    ? sql`WITH known AS MATERIALIZED (${knownClicks(program, query)}), converted AS MATERIALIZED (${knownConversions(program.id, query)})`
    : sql``
  const { rows } = await sql<{ total: number; cut: boolean }>`${known}
    SELECT sum(total)::bigint AS total, bool_or(cut) AS cut FROM (${sql.join(parts, sql` UNION ALL `)}) counted`.execute(
    db,
  )
  return { total: rows[0]?.total ?? 0, atLeast: rows[0]?.cut ?? false }
}

const countOf = (program: Program, query: EventsQuery, source: Source): RawBuilder<unknown> => {
  if (source.type === 'click' && !source.test && !query.search) return countClicks(program, query)
  return sql`
    SELECT coalesce(many.total, found.total) AS total, many.total IS NOT NULL OR found.total >= ${MOST_COUNTED} AS cut
    FROM (${manyKnown(query, source)}) many
    CROSS JOIN LATERAL (SELECT count(*) AS total FROM (
      SELECT 1 FROM ${sql.raw(source.from)} WHERE many.total IS NULL AND ${matching(program, query, source)}
      LIMIT ${MOST_COUNTED}) one) found`
}

/**
 * Where there are many, as many as the counts know, and none is looked at. Only credited ones are in the counts, and all are in the
 * list, so there are no fewer. A lead is counted on the day on which it settled and listed on that on which it came, so of some
 * days the counts say nothing.
 */
const manyKnown = (query: EventsQuery, { type, test }: Source) => {
  if (test || query.dateFrom || query.dateTo || !isKnown(query)) return sql`SELECT NULL::bigint AS total`
  const column = sql.raw(type === 'lead' ? 'leads' : 'sales')
  return sql`SELECT max(${column}) AS total FROM converted WHERE ${column} >= ${MOST_COUNTED}`
}
