import type { EventType } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { eventAnswer, type PlacedRow, type Source, selected, sourcesOf } from './event-sources.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const DAY_MS = 86_400_000
/** A date that both Postgres and JavaScript support; a made-up ID may encode one far beyond it. */
const LAST_MS = Date.UTC(9000, 0)

type Asked = { programId: number; eventType: EventType; eventId: string; test: boolean; timestamp: Date | null }

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

/** Clicks are partitioned by time. Without a timestamp, use the milliseconds that a UUIDv7 starts with. */
const nearby = ({ time }: Source, id: string, timestamp: Date | null) => {
  const column = sql.raw(time)
  if (timestamp) return sql`AND ${column} = ${timestamp}`
  const made = Math.min(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16), LAST_MS)
  return sql`AND ${column} BETWEEN ${new Date(made - DAY_MS)} AND ${new Date(made + DAY_MS)}`
}
