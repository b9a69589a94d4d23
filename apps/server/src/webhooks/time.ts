import { sql } from 'kysely'
import { type Clock, systemClock } from '../clock.ts'
import type { Database } from '../database/connect.ts'

/**
 * The database's time, so that processes with wrong clocks agree on due deliveries and expired leases. A test's clock
 * replaces it.
 */
export const databaseTime = (clock: Clock) =>
  clock === systemClock ? sql<Date>`now()` : sql<Date>`${clock()}::timestamptz`

/** For deleting old rows: a process whose clock jumps ahead must not delete new ones. */
export const readDatabaseTime = async (db: Database, clock: Clock) => {
  const { rows } = await sql<{ at: Date }>`SELECT ${databaseTime(clock)} AS at`.execute(db)
  return rows[0]?.at ?? clock()
}

/** Due at once: a process whose clock runs ahead must not delay what someone asks it to send. */
export const dueFrom = (at: Date) => sql<Date>`least(${at}::timestamptz, now())`
