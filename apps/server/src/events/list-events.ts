import type { EventsQuery, TrackingEvent } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Program } from '../programs/programs.ts'
import { Refusal } from '../refusal.ts'
import { countEvents } from './count-events.ts'
import { canMatch, daysWithClicks, matchesFilter } from './event-filters.ts'
import { type PlacedRow, type Source, selectEvent, sourcesOf, toTrackingEvent } from './event-sources.ts'

export type EventPage = { rows: TrackingEvent[]; nextCursor: string | null }
type Counted = { total: number; atLeast: boolean }

/** A program's clicks, leads, sales and test events as one list, newest first. */
export const listEvents = async (
  db: Database,
  { program, ...query }: { program: Program } & EventsQuery,
): Promise<EventPage & Counted> => {
  const [page, counted] = await Promise.all([readEventPage(db, program, query), countEvents(db, program, query)])
  return { ...page, ...adjustTotal(counted, page, query) }
}

/** The last page gives the exact total. Other pages count at least one more than seen, so that the next page is reachable. */
const adjustTotal = ({ total, atLeast }: Counted, { rows, nextCursor }: EventPage, query: EventsQuery): Counted => {
  const seen = offsetOf(query) + rows.length
  if (nextCursor) return { total: Math.max(total, seen + 1), atLeast }
  const isLast = !query.cursor && (rows.length > 0 || query.page === 1)
  return isLast ? { total: seen, atLeast: false } : { total, atLeast }
}

const offsetOf = ({ cursor, page, pageSize }: EventsQuery) => (cursor ? 0 : (page - 1) * pageSize)

/** One page without the total, for exports that read to the end. */
export const readEventPage = async (db: Database, program: Program, query: EventsQuery): Promise<EventPage> => {
  const { pageSize } = query
  const found = await findEvents(db, program, query)
  const last = found.length > pageSize ? found[pageSize - 1] : undefined
  return { rows: found.slice(0, pageSize).map(toTrackingEvent), nextCursor: last ? cursorOf(last) : null }
}

/** Reads one row more than the page, to know whether another page follows. */
const findEvents = async (db: Database, program: Program, query: EventsQuery): Promise<PlacedRow[]> => {
  const cursor = query.cursor ? readCursor(query.cursor) : null
  const offset = offsetOf(query)
  const rows = offset + query.pageSize + 1
  const days = await daysWithClicks(db, { program, filter: query, before: cursor?.at ?? null, rows })
  const parts = sourcesOf(query)
    .filter((source) => canMatch(query, source))
    .map((source) => selectPart(program, query, source, { cursor, rows, days }))
  if (parts.length === 0) return []
  const list = sql<PlacedRow>`SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) event
    ORDER BY timestamp DESC, rank, CASE WHEN rank = 0 THEN id END DESC, CASE WHEN rank > 0 THEN id::bigint END DESC
    LIMIT ${query.pageSize + 1} OFFSET ${offset}`
  return (await list.execute(db)).rows
}

/**
 * For an unknown limit Postgres assumes a tenth of all clicks and replans every time, which takes as long as the query itself.
 * A literal avoids that, and powers of two keep the number of statement texts small.
 */
const roundUpToPowerOfTwo = (rows: number) => 2 ** Math.ceil(Math.log2(rows))

type Part = { cursor: Cursor | null; rows: number; days: string[] | null }

const selectPart = (program: Program, query: EventsQuery, source: Source, { cursor, rows, days }: Part) => {
  const { time, id, from, joined, name } = source
  const order = sql.raw(`ORDER BY ${time} DESC, ${id} DESC`)
  const limit = sql`LIMIT ${sql.lit(roundUpToPowerOfTwo(rows))}`
  // Details are built only for rows on the page, which are few of those scanned.
  const found = (more: RawBuilder<unknown>) => sql`${selectEvent(source)} FROM (
    SELECT * FROM ${sql.raw(from)} WHERE ${matchesFilter(program, query, source)} ${afterCursor(cursor, source)} ${more} ${order} ${limit}
    ) ${sql.raw(`${name} ${joined}`)} ${order}`
  if (days === null || source.type !== 'click') return sql`(${found(sql``)})`
  // A day in any time zone lies within these bounds; `click.day` selects the exact rows.
  return sql`(SELECT one.* FROM unnest(${days}::date[]) counted(on_day) CROSS JOIN LATERAL (${found(
    sql`AND clicked_at >= on_day - interval '1 day' AND clicked_at < on_day + interval '2 days' AND click.day = on_day`,
  )}) one ORDER BY timestamp DESC, id DESC ${limit})`
}

/** The last row of a page. Order: newest first, then by rank, then by descending ID. */
type Cursor = { at: string; rank: number; id: string }

const cursorOf = ({ exactly, rank, id }: { exactly: string; rank: number; id: string }) =>
  Buffer.from(`${exactly} ${rank} ${id}`).toString('base64url')

const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) ([0-5]) ([0-9a-f-]{1,36})$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const readCursor = (text: string): Cursor => {
  const [, at = '', rank = '', id = ''] = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? []
  const isValidId = rank === '0' ? UUID.test(id) : /^\d{1,18}$/.test(id)
  // Date.parse accepts 30 February.
  const isDay = !Number.isNaN(Date.parse(at)) && new Date(at).toISOString().startsWith(at.slice(0, 10))
  if (!isDay || !isValidId)
    throw new Refusal('invalid_request', 'cursor must be the nextCursor of a page.', { field: 'cursor' })
  return { at, rank: Number(rank), id }
}

/** A condition for one source's rows after the cursor. */
const afterCursor = (cursor: Cursor | null, { rank, time, id }: Source): RawBuilder<unknown> => {
  if (!cursor) return sql``
  const [timeColumn, idColumn] = [sql.raw(time), sql.raw(id)]
  if (rank < cursor.rank) return sql`AND ${timeColumn} < ${cursor.at}::timestamptz`
  if (rank > cursor.rank) return sql`AND ${timeColumn} <= ${cursor.at}::timestamptz`
  const type = sql.raw(rank === 0 ? 'uuid' : 'bigint')
  return sql`AND (${timeColumn}, ${idColumn}) < (${cursor.at}::timestamptz, ${cursor.id}::${type})`
}
