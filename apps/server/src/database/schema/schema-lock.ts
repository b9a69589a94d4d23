import { type Kysely, sql } from 'kysely'
import { StartupError } from '../../config/startup-error.ts'

/**
 * Every application connection holds this advisory lock shared for its lifetime; a migration takes it exclusively. So no write
 * can commit on a schema other than the one its connection was checked against.
 */
const SCHEMA_LOCK = '7226548101'
export const HOLD_SCHEMA = `SELECT pg_advisory_lock_shared(${SCHEMA_LOCK})`

/** NOTIFY channels: a migration is about to run (with its name), and a migration committed. */
export const SCHEMA_CHANGING = 'schema_changing'
export const SCHEMA_CHANGED = 'schema_changed'

/** An older version drains and exits on the announcement, within ten seconds. */
const LOCK_TIMEOUT = '30s'
const LOCK_NOT_AVAILABLE = '55P03'

const OLDER_IS_RUNNING =
  'An older Tributary is still using this database, which needs a migration. Stop it and start again.'

/** First statement of a migration: waits until no connection of another version is left. */
export const lockSchema = async (tx: Kysely<unknown>) => {
  await sql.raw(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`).execute(tx)
  try {
    await sql.raw(`SELECT pg_advisory_xact_lock(${SCHEMA_LOCK})`).execute(tx)
  } catch (error) {
    throw (error as { code?: string }).code === LOCK_NOT_AVAILABLE ? new StartupError(OLDER_IS_RUNNING) : error
  }
  await sql`SET LOCAL lock_timeout TO DEFAULT`.execute(tx)
  await sql`SELECT pg_notify(${SCHEMA_CHANGED}, '')`.execute(tx) // delivered when the migration commits
}
