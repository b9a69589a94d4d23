import { sql } from 'kysely'
import { type Clock, systemClock } from '../clock.ts'

/**
 * The database's time, so that processes with wrong clocks agree on due deliveries and expired leases. A test's clock
 * replaces it.
 */
export const databaseTime = (clock: Clock) =>
  clock === systemClock ? sql<Date>`now()` : sql<Date>`${clock()}::timestamptz`

/** Due at once: a process whose clock runs ahead must not delay what someone asks it to send. */
export const dueFrom = (at: Date) => sql<Date>`least(${at}::timestamptz, now())`
