import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'

/** A call takes its time before it waits for its commit. What is younger than this is not rolled up yet, only added on reading. */
export const LAG_MS = 120_000

/** What was counted until then, or later, is recent enough that what came since can be added on reading. */
export const freshSince = (at: Date) => new Date(at.getTime() - LAG_MS - 60_000)
export const isFresh = (countedUntil: Date, at: Date) => countedUntil >= freshSince(at)

/** Every program is rolled up every ten minutes (housekeeping.ts), so what is kept is rarely older. */
const NEAR_MS = 15 * 60_000
export const nearSince = (at: Date) => new Date(at.getTime() - NEAR_MS)
export const isNear = (countedUntil: Date, at: Date) => countedUntil >= nearSince(at)

/** So many daily counts are summed as quickly as something that is kept instead of them is read. */
export const FEW_ROWS = 2_000

const COLUMNS = ['countedUntil', 'checkedDay', 'summedDay', 'rowsLately'] as const

/** How far a program is rolled up. */
export const findMark = (db: Database, programId: number) =>
  db.selectFrom('rollUps').select(COLUMNS).where('programId', '=', programId).executeTakeFirst()
export type Mark = NonNullable<Awaited<ReturnType<typeof findMark>>>

export const markOf = (tx: Tx, programId: number) =>
  tx.selectFrom('rollUps').select(COLUMNS).where('programId', '=', programId).forUpdate()

/** How far the program is rolled up, and it stays so until the end of the transaction. */
export const lockMark = async (tx: Tx, { programId, at }: { programId: number; at: Date }) => {
  await beginMark(tx, programId, at)
  return markOf(tx, programId).executeTakeFirstOrThrow()
}

/** The first time begins just before the first event. */
export const beginMark = (tx: Tx, programId: number, at: Date) =>
  sql`
  INSERT INTO roll_ups (program_id, counted_until, checked_day)
  SELECT ${programId}, coalesce(least(
      (SELECT min(clicked_at) FROM click_events WHERE program_id = ${programId}),
      (SELECT min(settled_at) FROM leads WHERE program_id = ${programId} AND settled_at IS NOT NULL),
      (SELECT min(credited_at) FROM sales WHERE program_id = ${programId} AND credited_at IS NOT NULL)),
    ${new Date(at.getTime() - LAG_MS)}::timestamptz) - interval '1 second', '1970-01-01'
  WHERE NOT EXISTS (SELECT FROM roll_ups WHERE program_id = ${programId})
  ON CONFLICT DO NOTHING`.execute(tx)
