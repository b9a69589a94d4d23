import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'

/** A call takes its time before it waits for its commit. What is younger than this is not rolled up yet, only added on reading. */
export const LAG_MS = 120_000

/** Recent enough that what came since can be added on reading. */
export const isFresh = (countedUntil: Date, at: Date) => countedUntil.getTime() >= at.getTime() - LAG_MS - 60_000

/** Every program is rolled up every ten minutes (housekeeping.ts), so what is kept is rarely older. */
const NEAR_MS = 15 * 60_000
export const isNear = (countedUntil: Date, at: Date) => countedUntil.getTime() >= at.getTime() - NEAR_MS

const COLUMNS = ['countedUntil', 'checkedDay', 'summedWeek'] as const

/** Up to when the clicks of a program are rolled up. */
export const findMark = (db: Database, programId: number) =>
  db.selectFrom('rollUps').select(COLUMNS).where('programId', '=', programId).executeTakeFirst()
export type Mark = NonNullable<Awaited<ReturnType<typeof findMark>>>

export const markOf = (tx: Tx, programId: number) =>
  tx.selectFrom('rollUps').select(COLUMNS).where('programId', '=', programId).forUpdate()

/** The first time begins just before the first click. */
export const beginMark = (tx: Tx, programId: number, at: Date) =>
  sql`
  INSERT INTO roll_ups (program_id, counted_until, checked_day)
  SELECT ${programId}, coalesce((SELECT min(clicked_at) FROM click_events WHERE program_id = ${programId}),
    ${new Date(at.getTime() - LAG_MS)}::timestamptz) - interval '1 second', '1970-01-01'
  WHERE NOT EXISTS (SELECT FROM roll_ups WHERE program_id = ${programId})
  ON CONFLICT DO NOTHING`.execute(tx)
