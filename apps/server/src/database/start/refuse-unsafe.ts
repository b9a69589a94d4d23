import { sql } from 'kysely'
import { StartupError } from '../../config/startup-error.ts'
import type { Database } from '../connect.ts'
import { isMigratedByUs, missingMigrations, unknownMigrations } from '../schema/migrate.ts'

const DURABLE = ['fsync', 'full_page_writes', 'synchronous_commit'] as const

/** 2xx means committed. A server that forgets commits at a power cut cannot keep that promise, so we do not start on it. */
export const refuseUnsafeDatabase = async (db: Database) => {
  for (const setting of DURABLE) {
    const { rows } = await sql<{ value: string }>`SELECT current_setting(${setting}) AS value`.execute(db)
    if (rows[0]?.value === 'off')
      throw new StartupError(
        `The database runs with ${setting} off, so it could forget what was acknowledged. Turn ${setting} on and start again.`,
      )
  }
}

/** Text of any language has to fit. */
export const refuseOtherEncoding = async (db: Database) => {
  const { rows } = await sql<{ encoding: string }>`SELECT current_setting('server_encoding') AS encoding`.execute(db)
  if (rows[0]?.encoding !== 'UTF8')
    throw new StartupError(
      `The database stores text as ${rows[0]?.encoding}, which cannot hold every name. Create it with ENCODING 'UTF8'.`,
    )
}

const OF_THE_MIGRATOR = ['kysely_migration', 'kysely_migration_lock']

/** Before anything is written there: somebody else's tables are none of ours, whatever they are called. */
export const refuseForeignDatabase = async (db: Database) => {
  if (await isMigratedByUs(db)) return
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
      AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
    ORDER BY relname`.execute(db)
  const names = rows.map(({ name }) => name).filter((name) => !OF_THE_MIGRATOR.includes(name))
  if (names.length === 0) return
  throw new StartupError(
    `The database has tables of something else (${names.slice(0, 3).join(', ')}${names.length > 3 ? ' …' : ''}). Name one in DATABASE_URL that is Tributary's alone.`,
  )
}

/**
 * Hashes and sealed secrets in a database are worth nothing with other secrets: webhooks would be refused, and nobody would see that a
 * customer is the partner themselves. The first start leaves its mark; every later one has to fit it.
 */
export const refuseOtherSecrets = async (db: Database, { derived, file }: { derived: Buffer; file: string }) => {
  await db
    .insertInto('instanceSecrets')
    .values({ derived })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const mark = await db.selectFrom('instanceSecrets').select('derived').executeTakeFirstOrThrow()
  if (!derived.equals(mark.derived))
    throw new StartupError(
      `${file} is not the one that this database was made with: keep DATA_DIR across starts, and give every service on one database the same file.`,
    )
}

export const refuseNewerDatabase = async (db: Database) => {
  const [newer] = await unknownMigrations(db)
  if (newer)
    throw new StartupError(
      `The database was migrated by a newer Tributary (${newer}). Start that version, or restore a backup made before it.`,
    )
}

/** For a command beside the service, which changes no schema. */
export const refuseOtherVersions = async (db: Database) => {
  await refuseNewerDatabase(db)
  const [older] = await missingMigrations(db)
  if (older)
    throw new StartupError(
      `The database is not of this version yet (${older} is missing): start this version of the service once, which brings it up.`,
    )
}
