import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'

/** A click can commit some time after its timestamp, so younger ones are not rolled up yet, only added by readers. */
export const LAG_MS = 120_000

/** Whether readers can add the events since then. */
export const isFresh = (countedUntil: Date, at: Date) => countedUntil.getTime() >= at.getTime() - LAG_MS - 60_000

const COLUMNS = ['countedUntil', 'checkedDay', 'summedWeek'] as const

/** How far a program's clicks are rolled up. */
export const findMark = (db: Database, programId: number) =>
  db.selectFrom('rollUps').select(COLUMNS).where('programId', '=', programId).executeTakeFirst()
export type Mark = NonNullable<Awaited<ReturnType<typeof findMark>>>

export const lockMark = (tx: Tx, programId: number) =>
  tx.selectFrom('rollUps').select(COLUMNS).where('programId', '=', programId).forUpdate()

/** The first roll-up starts just before the first click. */
export const createMark = (tx: Tx, programId: number, at: Date) =>
  sql`
  INSERT INTO roll_ups (program_id, counted_until, checked_day)
  SELECT ${programId}, coalesce((SELECT min(clicked_at) FROM click_events WHERE program_id = ${programId}),
    ${new Date(at.getTime() - LAG_MS)}::timestamptz) - interval '1 second', '1970-01-01'
  WHERE NOT EXISTS (SELECT FROM roll_ups WHERE program_id = ${programId})
  ON CONFLICT DO NOTHING`.execute(tx)
