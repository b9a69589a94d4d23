import type { EventsQuery, TrackingEvent } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Program } from '../programs/programs.ts'
import { countClicks } from './count-clicks.ts'
import { afterCursor, type Cursor, cursorOf, readCursor } from './event-cursors.ts'
import { daysWithClicks, isPossible, matching } from './event-filters.ts'
import { eventAnswer, type PlacedRow, type Source, selected, sourcesOf } from './event-sources.ts'

/** Beyond this many nobody counts what the counts do not know: it would read every event there is. */
const MOST_COUNTED = 10_000

export type EventPage = { rows: TrackingEvent[]; total: number; atLeast: boolean; nextCursor: string | null }

/** Clicks, leads and sales of a program as one stream, newest first; test events among them and marked as such. */
export const listEvents = async (
  db: Database,
  { program, ...query }: { program: Program } & EventsQuery,
): Promise<EventPage> => {
  const [rows, counted] = await Promise.all([pageOfEvents(db, program, query), countEvents(db, program, query)])
  const last = rows.length === query.pageSize ? rows.at(-1) : undefined
  return { rows: rows.map(eventAnswer), ...counted, nextCursor: last ? cursorOf(last) : null }
}

export const pageOfEvents = async (db: Database, program: Program, query: EventsQuery): Promise<PlacedRow[]> => {
  const { page, pageSize } = query
  const cursor = query.cursor ? readCursor(query.cursor) : null
  const offset = cursor ? 0 : (page - 1) * pageSize
  const rows = offset + pageSize
  const days = await daysWithClicks(db, { program, filter: query, before: cursor?.at ?? null, rows })
  const parts = sourcesOf(query)
    .filter((source) => isPossible(query, source))
    .map((source) => partOf(program, query, source, { cursor, rows, days }))
  if (parts.length === 0) return []
  const list = sql<PlacedRow>`SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) event
    ORDER BY timestamp DESC, rank, CASE WHEN rank = 0 THEN id END DESC, CASE WHEN rank > 0 THEN id::bigint END DESC
    LIMIT ${pageSize} OFFSET ${offset}`
  return (await list.execute(db)).rows
}

type Part = { cursor: Cursor | null; rows: number; days: string[] | null }

const partOf = (program: Program, query: EventsQuery, source: Source, { cursor, rows, days }: Part) => {
  const { time, id, from } = source
  const order = sql.raw(`ORDER BY ${time} DESC, ${id} DESC`)
  const found = (more: RawBuilder<unknown>) => sql`${selected(source)} FROM ${sql.raw(from)}
    WHERE ${matching(program, query, source)} ${afterCursor(cursor, source)} ${more} ${order} LIMIT ${rows}`
  if (days === null || source.type !== 'click') return sql`(${found(sql``)})`
  // In every time zone a day lies within these bounds; the day itself is in the row.
  return sql`(SELECT one.* FROM unnest(${days}::date[]) counted(on_day) CROSS JOIN LATERAL (${found(
    sql`AND clicked_at >= on_day - interval '1 day' AND clicked_at < on_day + interval '2 days' AND click.day = on_day`,
  )}) one ORDER BY timestamp DESC, id DESC LIMIT ${rows})`
}

const countEvents = async (db: Database, program: Program, query: EventsQuery) => {
  const counts = sourcesOf(query)
    .filter((source) => isPossible(query, source))
    .map((source) => countOf(program, query, source))
  if (counts.length === 0) return { total: 0, atLeast: false }
  const { rows } = await sql<{ total: number; cut: boolean }>`
    SELECT sum(total)::bigint AS total, bool_or(cut) AS cut FROM (${sql.join(counts, sql` UNION ALL `)}) counted`.execute(
    db,
  )
  return { total: rows[0]?.total ?? 0, atLeast: rows[0]?.cut ?? false }
}

const countOf = (program: Program, query: EventsQuery, source: Source): RawBuilder<unknown> => {
  const { dateFrom, dateTo, partnerId, linkId, country, search } = query
  if (source.type === 'click' && !source.test && !dateFrom && !dateTo && !country && !search)
    return countClicks({ program, partnerId, linkId })
  if (source.type === 'click' && country && !dateFrom && !dateTo && !partnerId && !linkId && !search)
    return sql`SELECT coalesce(sum(clicks), 0)::bigint AS total, true AS cut FROM daily_breakdowns
      WHERE program_id = ${program.id} AND dimension = 'country' AND value = ${country}`
  return sql`SELECT count(*) AS total, count(*) >= ${MOST_COUNTED} AS cut FROM (
    SELECT 1 FROM ${sql.raw(source.counted)} WHERE ${matching(program, query, source)} LIMIT ${MOST_COUNTED}) found`
}
