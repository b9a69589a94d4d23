import { type Kysely, sql } from 'kysely'
import { StartupError } from '../../config/startup-error.ts'
import { numberOf, OWN_MIGRATIONS, oldestBeside } from './own-migrations.ts'

/**
 * Every application connection holds the advisory lock of its version shared for its lifetime; a migration takes the locks of all
 * versions that cannot run beside it. So no write of theirs can commit on a schema that their connection was not checked against.
 */
const SCHEMA_LOCKS = '722654810'
export const holdSchemaOf = (version: string) => `SELECT pg_advisory_lock_shared(${SCHEMA_LOCKS}, ${Number(version)})`

/** NOTIFY channels: a migration is about to run (with its name), and a migration committed. */
export const SCHEMA_CHANGING = 'schema_changing'
export const SCHEMA_CHANGED = 'schema_changed'

/** An older version drains and exits on the announcement, within ten seconds. */
const LOCK_TIMEOUT = '30s'
const LOCK_NOT_AVAILABLE = '55P03'

const TABLE_LOCK_TIMEOUT = "'1s'"

const isBeside = (migration: string) => oldestBeside(migration) !== numberOf(migration)

const OLDER_IS_RUNNING =
  'An older Tributary is still using this database, which needs a migration. Stop it and start again.'

/** First statement of a migration: waits until no connection of a version that cannot run beside it is left. */
export const lockSchema = async (tx: Kysely<unknown>, migration: string) => {
  const excluded = OWN_MIGRATIONS.map(numberOf)
    .filter((version) => version < oldestBeside(migration))
    .map(Number)
  await sql.raw(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`).execute(tx)
  try {
    await sql
      .raw(`SELECT pg_advisory_xact_lock(${SCHEMA_LOCKS}, version) FROM unnest('{${excluded}}'::integer[]) version`)
      .execute(tx)
  } catch (error) {
    throw (error as { code?: string }).code === LOCK_NOT_AVAILABLE ? new StartupError(OLDER_IS_RUNNING) : error
  }
  // Beside a running version, requests queue behind a statement that waits for its table.
  await sql.raw(`SET LOCAL lock_timeout = ${isBeside(migration) ? TABLE_LOCK_TIMEOUT : 'DEFAULT'}`).execute(tx)
  await sql`SELECT pg_notify(${SCHEMA_CHANGED}, '')`.execute(tx) // delivered when the migration commits
}
