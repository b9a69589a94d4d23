import { EVENT_TYPES, type EventType } from '@tributary/contract'
import { TRACKING_EVENTS } from '@tributary/contract/declared'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { withNames, withNamesForOne } from '../../partners/partner-names.ts'
import { eventStream } from '../../platform/files.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { paginationOf } from '../../platform/pagination.ts'
import { runs } from '../../platform/runs.ts'
import { type PlacedRow, type Source, selectEvent, sourcesOf, toTrackingEvent } from '../event-sources.ts'
import { listEvents } from '../list-events.ts'
import type { LiveEvents } from '../live-events.ts'
import { openLiveStreams } from './live-stream.ts'

export const trackingEvents = ({ liveEvents }: { liveEvents: LiveEvents }) => {
  const openStream = openLiveStreams(liveEvents)
  return runs(
    TRACKING_EVENTS,
    { eventType: { what: 'event', find: findType } },
    {
      list: async ({ db, program, query }) => {
        const { rows, total, ...more } = await listEvents(db, { program, ...query })
        const pagination = paginationOf({ ...query, total })
        return { data: await withNames(db, program.id, rows), meta: { pagination, ...more } }
      },

      stream: async ({ program, actor, stream: { mayContinue } }) =>
        eventStream(openStream({ program, userId: actor.id, mayContinue })),

      get: async ({ db, program: { id: programId }, eventType, params: { eventId }, query: { test, timestamp } }) => {
        const near = { test: test === 'true', timestamp: timestamp ? new Date(timestamp) : null }
        const event = orNotFound(await findEvent(db, { programId, eventType, eventId, ...near }), 'event')
        return withNamesForOne(db, programId, event)
      },
    },
  )
}

const findType = async (_: Database, { id }: { id: string }) => EVENT_TYPES.find((type) => type === id)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const DAY_MS = 86_400_000
/** A date that both Postgres and JavaScript support; a made-up ID may encode one far beyond it. */
const MAX_MS = Date.UTC(9000, 0)

type EventLookup = { programId: number; eventType: EventType; eventId: string; test: boolean; timestamp: Date | null }

const findEvent = async (db: Database, { programId, eventType, eventId, test, timestamp }: EventLookup) => {
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
