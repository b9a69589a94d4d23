import type { TrackingEvent } from '@tributary/contract'
import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import { type PlacedRow, type Source, selectEvent, sourcesOf, toTrackingEvent } from './event-sources.ts'

const POLL_MS = 1_000
/** Each poll overlaps the previous ones to catch late commits; events already sent are remembered. */
const LOOK_BACK_MS = 15_000
const LOOK_BACK_IDS = 200
/** More than a person can read in a second; the event list has all of them. */
const MAX_PER_POLL = 50
const MAX_REMEMBERED = 5_000

export type Listener = {
  send: (event: TrackingEvent) => void
  /** Something in the program has changed. Also called first, when nothing new can be missed any more. */
  changed: () => void
  end: () => void
}
type Watch = {
  listeners: Set<Listener>
  sent: Set<string>
  lastIds: Map<number, number>
  /** The last event of the outbox; null before the first poll. */
  lastChange: number | null
  stop: () => void
}

export type LiveEvents = ReturnType<typeof createLiveEvents>

/** Streams a program's new events: one query per second and program, regardless of the number of listeners. */
export const createLiveEvents = ({
  db,
  clock,
  onError,
}: {
  db: Database
  clock: Clock
  onError: (error: Error) => void
}) => {
  const watches = new Map<number, Watch>()

  /** The first poll only records what already exists. */
  const startWatch = (programId: number): Watch => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const watch: Watch = {
      listeners: new Set(),
      sent: new Set(),
      lastIds: new Map(),
      lastChange: null,
      stop: () => clearTimeout(timer),
    }
    const poll = async () => {
      try {
        const [fresh, change] = await Promise.all([
          newEvents(db, { programId, watch, at: clock() }),
          findLastChange(db, programId),
        ])
        if (watch.lastChange !== null) for (const event of fresh) for (const { send } of watch.listeners) send(event)
        const hasChanged = watch.lastChange !== change
        watch.lastChange = change
        if (hasChanged) for (const { changed } of watch.listeners) changed()
      } catch (error) {
        onError(error as Error)
      }
      if (watch.listeners.size > 0) timer = setTimeout(poll, POLL_MS)
    }
    watches.set(programId, watch)
    void poll()
    return watch
  }

  return {
    /** Returns a function that stops listening. */
    listen: (programId: number, listener: Listener) => {
      const watch = watches.get(programId) ?? startWatch(programId)
      watch.listeners.add(listener)
      if (watch.lastChange !== null) listener.changed()
      return () => {
        watch.listeners.delete(listener)
        if (watch.listeners.size > 0) return
        watch.stop()
        if (watches.get(programId) === watch) watches.delete(programId)
      }
    },
    close: () => {
      for (const { listeners } of [...watches.values()]) for (const { end } of [...listeners]) end()
    },
  }
}

/** Leads, sales and everything that changes them later are in the outbox. */
const findLastChange = async (db: Database, programId: number) => {
  const head = await db
    .selectFrom('outboxHeads')
    .select('sequence')
    .where('programId', '=', programId)
    .executeTakeFirst()
  return head?.sequence ?? 0
}

/** Clicks are found by time, other events by ID. */
const sinceLastPoll = (source: Source, { lastIds }: Watch, at: Date) =>
  source.rank === 0
    ? sql`AND clicked_at > ${new Date(at.getTime() - LOOK_BACK_MS)} ORDER BY clicked_at DESC`
    : sql`AND ${sql.raw(source.id)} > ${(lastIds.get(source.rank) ?? 0) - LOOK_BACK_IDS} ${
        source.test ? sql`AND event_type = ${source.type}` : sql``
      } ORDER BY ${sql.raw(source.id)} DESC`

const newEvents = async (db: Database, { programId, watch, at }: { programId: number; watch: Watch; at: Date }) => {
  const parts = sourcesOf({}).map(
    (
      source,
    ) => sql`(${selectEvent(source)} FROM ${sql.raw(`${source.from} ${source.joined}`)} WHERE program_id = ${programId}
      ${sinceLastPoll(source, watch, at)} LIMIT ${sql.lit(MAX_PER_POLL)})`,
  )
  const { rows } =
    await sql<PlacedRow>`SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) event ORDER BY timestamp, rank`.execute(
      db,
    )
  const fresh = rows.filter(({ rank, id }) => !watch.sent.has(`${rank} ${id}`))
  for (const { rank, id } of fresh) {
    watch.sent.add(`${rank} ${id}`)
    if (rank > 0) watch.lastIds.set(rank, Math.max(watch.lastIds.get(rank) ?? 0, Number(id)))
  }
  for (const oldest of watch.sent) {
    if (watch.sent.size <= MAX_REMEMBERED) break
    watch.sent.delete(oldest)
  }
  return fresh.map(toTrackingEvent)
}
