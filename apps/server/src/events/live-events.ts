import type { TrackingEvent } from '@tributary/contract'
import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import { eventAnswer, type PlacedRow, type Source, selected, sourcesOf } from './event-sources.ts'

const POLL_MS = 1_000
/** Each poll overlaps the previous ones to catch late commits; events already sent are remembered. */
const LOOK_BACK_MS = 15_000
const LOOK_BACK_IDS = 200
/** More than a person can read in a second; the event list has all of them. */
const MOST_A_POLL = 50
const REMEMBERED = 5_000

export type Listener = { tell: (event: TrackingEvent) => void; end: () => void }
type Watch = { listeners: Set<Listener>; told: Set<string>; lastIds: Map<number, number>; stop: () => void }

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
  const watched = new Map<number, Watch>()

  /** The first poll only records what already exists. */
  const begin = (programId: number): Watch => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const watch: Watch = {
      listeners: new Set(),
      told: new Set(),
      lastIds: new Map(),
      stop: () => clearTimeout(timer),
    }
    const look = async (isFirst: boolean) => {
      try {
        const fresh = await newEvents(db, { programId, watch, at: clock() })
        if (!isFirst) for (const event of fresh) for (const { tell } of watch.listeners) tell(event)
        isFirst = false
      } catch (error) {
        onError(error as Error)
      }
      if (watch.listeners.size > 0) timer = setTimeout(look, POLL_MS, isFirst)
    }
    watched.set(programId, watch)
    void look(true)
    return watch
  }

  return {
    /** Returns a function that stops listening. */
    listen: (programId: number, listener: Listener) => {
      const watch = watched.get(programId) ?? begin(programId)
      watch.listeners.add(listener)
      return () => {
        watch.listeners.delete(listener)
        if (watch.listeners.size > 0) return
        watch.stop()
        if (watched.get(programId) === watch) watched.delete(programId)
      }
    },
    listening: () => [...watched.values()].reduce((sum, { listeners }) => sum + listeners.size, 0),
    close: () => {
      for (const { listeners } of [...watched.values()]) for (const { end } of [...listeners]) end()
    },
  }
}

/** Clicks are found by time, other events by ID. */
const recently = (source: Source, { lastIds }: Watch, at: Date) =>
  source.rank === 0
    ? sql`AND clicked_at > ${new Date(at.getTime() - LOOK_BACK_MS)} ORDER BY clicked_at DESC`
    : sql`AND ${sql.raw(source.id)} > ${(lastIds.get(source.rank) ?? 0) - LOOK_BACK_IDS} ${
        source.test ? sql`AND event_type = ${source.type}` : sql``
      } ORDER BY ${sql.raw(source.id)} DESC`

const newEvents = async (db: Database, { programId, watch, at }: { programId: number; watch: Watch; at: Date }) => {
  const parts = sourcesOf({}).map(
    (
      source,
    ) => sql`(${selected(source)} FROM ${sql.raw(`${source.from} ${source.joined}`)} WHERE program_id = ${programId}
      ${recently(source, watch, at)} LIMIT ${MOST_A_POLL})`,
  )
  const { rows } =
    await sql<PlacedRow>`SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) event ORDER BY timestamp, rank`.execute(
      db,
    )
  const fresh = rows.filter(({ rank, id }) => !watch.told.has(`${rank} ${id}`))
  for (const { rank, id } of fresh) {
    watch.told.add(`${rank} ${id}`)
    if (rank > 0) watch.lastIds.set(rank, Math.max(watch.lastIds.get(rank) ?? 0, Number(id)))
  }
  for (const oldest of watch.told) {
    if (watch.told.size <= REMEMBERED) break
    watch.told.delete(oldest)
  }
  return fresh.map(eventAnswer)
}
