import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Program } from '../../programs/programs.ts'
import { oneAtATime } from '../overview/one-at-a-time.ts'
import { rollUp } from './roll-up.ts'
import { findMark, isFresh, isNear, type Mark } from './roll-up-marks.ts'

/** How long a reader waits for the roll-up before it gets what there is. */
const MAX_WAIT_MS = 1_000
/** How many clicks a reader adds to the roll-up at most. */
const MAX_RECENT = 5_000

type CaughtUp = {
  mark: Mark | undefined
  /** Whether the reader can add the events since the mark. */
  fresh: boolean
}

/** How far a program is rolled up. Readers do not wait if it is only minutes behind with few new clicks. */
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

/** The parts of a dashboard request this concurrently; one rolls up, and the rest of this process waits for it. */
const shareCatchUp = oneAtATime()
const rollUpCompletely = async (db: Database, program: Program, at: Date) => {
  while (!(await rollUp(db, { program, at, isAwaited: true })));
}

const canAddRecent = async (db: Database, { id }: Program, mark: Mark, at: Date) =>
  isFresh(mark.countedUntil, at) || (isNear(mark.countedUntil, at) && (await hasFewClicksSince(db, id, mark)))

const hasFewClicksSince = async (db: Database, programId: number, { countedUntil }: Mark) => {
  const { rows } = await sql<{ clicks: number }>`
    SELECT count(*) AS clicks FROM (
      SELECT FROM click_events WHERE program_id = ${programId} AND clicked_at > ${countedUntil} LIMIT ${MAX_RECENT}) recent`.execute(
    db,
  )
  return (rows[0]?.clicks ?? 0) < MAX_RECENT
}
