import type { EventType } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { type PlacedRow, type Source, selectEvent, sourcesOf, toTrackingEvent } from './event-sources.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const DAY_MS = 86_400_000
/** A date that both Postgres and JavaScript support; a made-up ID may encode one far beyond it. */
const MAX_MS = Date.UTC(9000, 0)

type EventLookup = { programId: number; eventType: EventType; eventId: string; test: boolean; timestamp: Date | null }

export const findEvent = async (db: Database, { programId, eventType, eventId, test, timestamp }: EventLookup) => {
  const [source] = sourcesOf({ eventType, test: test ? 'true' : 'false' })
  if (!source || !(source.rank === 0 ? UUID : /^[1-9]\d{0,17}$/).test(eventId)) return null
  const { rows } = await sql<PlacedRow>`
    ${selectEvent(source)} FROM ${sql.raw(`${source.from} ${source.joined}`)}
    WHERE program_id = ${programId} AND ${sql.raw(source.id)} = ${eventId}::${sql.raw(source.rank === 0 ? 'uuid' : 'bigint')}
      ${test ? sql`AND event_type = ${eventType}` : sql``} ${source.rank === 0 ? nearTime(source, eventId, timestamp) : sql``}`.execute(
    db,
  )
  return rows[0] ? toTrackingEvent(rows[0]) : null
}

/** Clicks are partitioned by time. Without a timestamp, use the milliseconds that a UUIDv7 starts with. */
const nearTime = ({ time }: Source, id: string, timestamp: Date | null) => {
  const column = sql.raw(time)
  if (timestamp) return sql`AND ${column} = ${timestamp}`
  const createdMs = Math.min(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16), MAX_MS)
  return sql`AND ${column} BETWEEN ${new Date(createdMs - DAY_MS)} AND ${new Date(createdMs + DAY_MS)}`
}
