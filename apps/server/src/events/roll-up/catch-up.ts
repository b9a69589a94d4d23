import { MAX_LIVE_EVENTS } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Program } from '../../programs/programs.ts'
import { rollUp } from './roll-up.ts'
import { findMark, isFresh, type Mark } from './roll-up-marks.ts'

/** How long a reader waits for the roll-up before it gets what there is. */
const MAX_WAIT_MS = 1_000

type CaughtUp = {
  mark: Mark | undefined
  /** Whether the reader can add the events since the mark. */
  fresh: boolean
}

/** How far a program is rolled up. Readers wait only if it is behind by more clicks than a report may leave out. */
export const catchUp = async (db: Database, program: Program, at: Date): Promise<CaughtUp> => {
  const known = await findMark(db, program.id)
  if (known && isFresh(known.countedUntil, at)) return { mark: known, fresh: true }
  // A failed roll-up does not fail the reader; housekeeping reports the error.
  const rollingUp = shareCatchUp(db, String(program.id), () => rollUpCompletely(db, program, at)).catch(() => {})
  if (known && (await canAddRecent(db, program, known, at))) return { mark: known, fresh: true }
  await Promise.race([rollingUp, Bun.sleep(MAX_WAIT_MS)])
  const mark = await findMark(db, program.id)
  return { mark, fresh: !mark || (await canAddRecent(db, program, mark, at)) }
}

/** Deduplicates work in this process: concurrent callers for the same thing share one promise. */
export const oneAtATime = () => {
  const running = new WeakMap<Database, Map<string, Promise<unknown>>>()
  return (db: Database, thing: string, work: () => Promise<unknown>): Promise<unknown> => {
    const ongoing = running.get(db) ?? new Map<string, Promise<unknown>>()
    running.set(db, ongoing)
    const existing = ongoing.get(thing)
    if (existing) return existing
    const started = work().finally(() => ongoing.delete(thing))
    ongoing.set(thing, started)
    return started
  }
}

/** A dashboard page asks for several parts concurrently; one of them rolls up and the others wait for it. */
const shareCatchUp = oneAtATime()

const rollUpCompletely = async (db: Database, program: Program, at: Date) => {
  while (!(await rollUp(db, { program, at, isAwaited: true })));
}

const canAddRecent = async (db: Database, { id }: Program, mark: Mark, at: Date) =>
  isFresh(mark.countedUntil, at) || (await hasFewClicksSince(db, id, mark))

const hasFewClicksSince = async (db: Database, programId: number, { countedUntil }: Mark) => {
  const { rows } = await sql<{ clicks: number }>`
    SELECT count(*) AS clicks FROM (
      SELECT FROM click_events WHERE program_id = ${programId} AND clicked_at > ${countedUntil} LIMIT ${sql.lit(MAX_LIVE_EVENTS)}) recent`.execute(
    db,
  )
  return (rows[0]?.clicks ?? 0) < MAX_LIVE_EVENTS
}

/** Rolls up every program until each is caught up. */
export const rollUpAll = async (db: Database, clock: () => Date) => {
  const programs = await db.selectFrom('programs').select(['id', 'timezone']).orderBy('id').execute()
  for (const program of programs) while (!(await rollUp(db, { program, at: clock() })));
}
