import { type Kysely, type Migration, Migrator, sql } from 'kysely'
import { StartupError } from '../../config/startup-error.ts'
import type { Database } from '../connect.ts'
import { isAcceptable, MIGRATIONS_DIRECTORY, OWN_MIGRATIONS } from './own-migrations.ts'
import { lockSchema, SCHEMA_CHANGING } from './schema-lock.ts'

/** The numbered SQL files define the schema; they only go forward. */
const readMigrations = async (): Promise<Record<string, Migration>> =>
  Object.fromEntries(
    await Promise.all(
      OWN_MIGRATIONS.map(async (name) => {
        const statements = await Bun.file(`${MIGRATIONS_DIRECTORY}/${name}.sql`).text()
        const up = async (tx: Kysely<unknown>) => {
          await lockSchema(tx, name)
          await sql.raw(statements).execute(tx)
        }
        return [name, { up }] as const
      }),
    ),
  )

/** Migrates to this version's schema. Concurrent calls are safe: the migrator's lock admits one. */
export const migrate = async (db: Database) => {
  const missing = await missingMigrations(db)
  for (const name of missing) await sql`SELECT pg_notify(${SCHEMA_CHANGING}, ${name})`.execute(db)
  if (missing.length > 0) await runWhenFree(db)
  return missing
}

const MAX_ATTEMPTS = 20
const PAUSE_MS = 500
/** A table was in use for too long, or Postgres broke a deadlock with a request. */
const BUSY = ['55P03', '40P01']

/** Beside a running version a table may be busy. Everything runs in one transaction, so a failed attempt leaves nothing. */
const runWhenFree = async (db: Database) => {
  // The camelCase plugin would rename the migrator's own table.
  const migrator = new Migrator({ db: db.withoutPlugins(), provider: { getMigrations: readMigrations } })
  for (let attempt = 1; ; attempt++) {
    const { error } = await migrator.migrateToLatest()
    if (!error) return
    if (!BUSY.includes((error as { code?: string }).code ?? '') || attempt === MAX_ATTEMPTS) throw error
    await Bun.sleep(PAUSE_MS)
  }
}

/** Migrates an empty database to the schema of a backup, so that its rows fit. */
export const migrateTo = async (db: Database, migrations: string[]) => {
  const newer = migrations.find((name) => !OWN_MIGRATIONS.includes(name))
  if (newer)
    throw new StartupError(`The backup was made by a newer Tributary (${newer}). Restore it with that version.`)
  const migrator = new Migrator({ db: db.withoutPlugins(), provider: { getMigrations: readMigrations } })
  const { error } = await migrator.migrateTo(migrations.toSorted().at(-1) ?? '')
  if (error) throw error
}

/** Migrations that any version has run here. */
export const migrationsOf = async (db: Database) => {
  const exists = await sql<{ found: boolean }>`SELECT to_regclass('kysely_migration') IS NOT NULL AS found`.execute(db)
  if (!exists.rows[0]?.found) return []
  const run = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db)
  return run.rows.map((row) => row.name)
}

/** Kysely's own. */
export const MIGRATOR_TABLES = ['kysely_migration', 'kysely_migration_lock']

/** Other applications also use Kysely's migrator, so look for our first migration. */
export const isMigratedByUs = async (db: Database) =>
  (await migrationsOf(db)).some((name) => name === OWN_MIGRATIONS[0])

/** This version's migrations that have not run here. */
export const missingMigrations = async (db: Database) => {
  const run = new Set(await migrationsOf(db))
  return OWN_MIGRATIONS.filter((name) => !run.has(name))
}

/** Migrations that a newer version ran here. */
export const unknownMigrations = async (db: Database) =>
  (await migrationsOf(db)).filter((name) => !OWN_MIGRATIONS.includes(name))

/** Those of them that this version cannot run beside. */
export const unacceptableMigrations = async (db: Database) =>
  (await migrationsOf(db)).filter((name) => !isAcceptable(name))
