import { sql } from 'kysely'
import type { Database } from '../connect.ts'
import { inTransaction, limitLockWait } from '../transaction.ts'

const monthStart = (at: Date, months: number) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1))
const isoDay = (at: Date) => at.toISOString().slice(0, 10)
const nameOf = (month: Date) => `click_events_${isoDay(month).slice(0, 7).replace('-', '_')}`

/**
 * Creates the monthly click partitions from `since` to some months ahead. A month whose first clicks already went to the default
 * partition stays there, which only makes dropping it slower.
 */
export const ensurePartitions = async (
  db: Database,
  { since, monthsAhead = 3, at }: { since: Date; monthsAhead?: number; at: Date },
) => {
  const end = monthStart(at, monthsAhead)
  for (let month = monthStart(since, 0); month <= end; month = monthStart(month, 1)) {
    const name = nameOf(month)
    const { rows } = await sql<{ found: boolean }>`
      SELECT to_regclass(${name}) IS NOT NULL OR EXISTS (
        SELECT FROM click_events_other WHERE clicked_at >= ${month} AND clicked_at < ${monthStart(month, 1)}) AS found`.execute(
      db,
    )
    if (rows[0]?.found) continue
    await ignoreIfExists(
      sql`CREATE TABLE IF NOT EXISTS ${sql.raw(name)} PARTITION OF click_events
      FOR VALUES FROM (${sql.lit(isoDay(month))}) TO (${sql.lit(isoDay(monthStart(month, 1)))})`.execute(db),
    )
  }
}

/** IF NOT EXISTS does not cover two processes that create the same month concurrently: one of them gets an error. */
const ignoreIfExists = async (creation: Promise<unknown>) => {
  try {
    await creation
  } catch (error) {
    if (!['42P07', '23505'].includes((error as { code?: string }).code ?? '')) throw error
  }
}

/** For use while the service runs; months are created well ahead, so a failed attempt can wait. */
export const ensureUpcomingPartitions = (db: Database, { at }: { at: Date }) =>
  inTransaction(db, async (tx) => {
    await limitLockWait(tx)
    await ensurePartitions(tx, { since: at, at })
  })
