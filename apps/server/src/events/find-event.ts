import type { EventType } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { eventAnswer, type PlacedRow, type Source, selected, sourcesOf } from './event-sources.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const DAY_MS = 86_400_000
/** Postgres and JavaScript both know this year; what a made-up id says may be far beyond. */
const LAST_MS = Date.UTC(9000, 0)

type Asked = { programId: number; eventType: EventType; eventId: string; test: boolean; timestamp: Date | null }

/** One event with all that is known of it. */
export const findEvent = async (db: Database, { programId, eventType, eventId, test, timestamp }: Asked) => {
  const [source] = sourcesOf({ eventType, test: test ? 'true' : 'false' })
  if (!source || !(source.rank === 0 ? UUID : /^[1-9]\d{0,17}$/).test(eventId)) return null
  const { rows } = await sql<PlacedRow>`
    ${selected(source)} FROM ${sql.raw(`${source.from} ${source.joined}`)}
    WHERE program_id = ${programId} AND ${sql.raw(source.id)} = ${eventId}::${sql.raw(source.rank === 0 ? 'uuid' : 'bigint')}
      ${test ? sql`AND event_type = ${eventType}` : sql``} ${source.rank === 0 ? nearby(source, eventId, timestamp) : sql``}`.execute(
    db,
  )
  return rows[0] ? eventAnswer(rows[0]) : null
}

/** Clicks are kept by time. Where nobody says it, the id does: it begins with the milliseconds at which it was made. */
const nearby = ({ time }: Source, id: string, timestamp: Date | null) => {
  const column = sql.raw(time)
  if (timestamp) return sql`AND ${column} = ${timestamp}`
  const made = Math.min(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16), LAST_MS)
  return sql`AND ${column} BETWEEN ${new Date(made - DAY_MS)} AND ${new Date(made + DAY_MS)}`
}
