import { sql } from 'kysely'
import { StartupError } from '../../config/startup-error.ts'
import type { Database } from '../connect.ts'
import {
  isMigratedByUs,
  MIGRATOR_TABLES,
  missingMigrations,
  unacceptableMigrations,
  unknownMigrations,
} from '../schema/migrate.ts'

const DURABILITY_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'] as const

/** 2xx means committed, so we do not start on a server that can lose commits in a power failure. */
export const refuseUnsafeDatabase = async (db: Database) => {
  for (const setting of DURABILITY_SETTINGS) {
    const { rows } = await sql<{ value: string }>`SELECT current_setting(${setting}) AS value`.execute(db)
    if (rows[0]?.value === 'off')
      throw new StartupError(
        `The database runs with ${setting} off, so acknowledged data could be lost. Turn ${setting} on and start again.`,
      )
  }
}

/** The oldest release that the tests run on. Older ones start, but some statements fail on them. */
export const MIN_POSTGRES = 15

export const refuseOldPostgres = async (db: Database) => {
  const { rows } = await sql<{ version: string }>`SELECT current_setting('server_version_num') AS version`.execute(db)
  const problem = findOldPostgres(Number(rows[0]?.version))
  if (problem) throw problem
}

/** `version` as in `server_version_num`: 130023 is 13.23. */
export const findOldPostgres = (version: number) => {
  const [major, minor] = [Math.floor(version / 10_000), version % 10_000]
  if (major >= MIN_POSTGRES) return null
  return new StartupError(
    `The database runs on Postgres ${major}.${minor}, and Tributary needs ${MIN_POSTGRES} or newer. Upgrade the server or leave DATABASE_URL unset.`,
  )
}

export const refuseOtherEncoding = async (db: Database) => {
  const { rows } = await sql<{ encoding: string }>`SELECT current_setting('server_encoding') AS encoding`.execute(db)
  if (rows[0]?.encoding !== 'UTF8')
    throw new StartupError(
      `The database stores text as ${rows[0]?.encoding}, which does not support every character. Create it with ENCODING 'UTF8'.`,
    )
}

/** Runs before anything is written, so that we never touch another application's tables. */
export const refuseForeignDatabase = async (db: Database) => {
  if (await isMigratedByUs(db)) return
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
      AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
    ORDER BY relname`.execute(db)
  const names = rows.map(({ name }) => name).filter((name) => !MIGRATOR_TABLES.includes(name))
  if (names.length === 0) return
  throw new StartupError(
    `The database contains tables of another application (${names.slice(0, 3).join(', ')}${names.length > 3 ? ' …' : ''}). Point DATABASE_URL to a database used only by Tributary.`,
  )
}

/**
 * Hashes and sealed secrets do not work with other instance secrets: webhooks would be refused, and self-referrals would go
 * unnoticed. The first start stores a fingerprint that every later start must match.
 */
export const refuseOtherSecrets = async (db: Database, { derived, file }: { derived: Buffer; file: string }) => {
  await db
    .insertInto('instanceSecrets')
    .values({ derived })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const stored = await db.selectFrom('instanceSecrets').select('derived').executeTakeFirstOrThrow()
  if (!derived.equals(stored.derived))
    throw new StartupError(
      `${file} does not belong to this database. Keep DATA_DIR across restarts, and use the same secrets for every service on one database.`,
    )
}

export const refuseNewerDatabase = async (db: Database) => {
  const [newer] = await unacceptableMigrations(db)
  if (newer) throw newerDatabase(newer)
}

const newerDatabase = (migration: string) =>
  new StartupError(
    `The database was migrated by a newer Tributary (${migration}). Start that version, or restore a backup made before it.`,
  )

/** For commands, which do not migrate. Not for backups: they copy the tables that they find. */
export const refuseOtherVersions = async (db: Database) => {
  const [newer] = await unknownMigrations(db)
  if (newer) throw newerDatabase(newer)
  const [older] = await missingMigrations(db)
  if (older)
    throw new StartupError(
      `The database has an older schema (${older} is missing). Start this version of the service once to migrate it.`,
    )
}
