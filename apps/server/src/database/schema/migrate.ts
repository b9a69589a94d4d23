import { type Kysely, type Migration, Migrator, sql } from 'kysely'
import { StartupError } from '../../config/startup-error.ts'
import type { Database } from '../connect.ts'
import { MIGRATIONS_DIRECTORY, OWN_MIGRATIONS } from './own-migrations.ts'
import { lockSchema, SCHEMA_CHANGING } from './schema-lock.ts'

/** The numbered SQL files define the schema; they only go forward. */
const readMigrations = async (): Promise<Record<string, Migration>> =>
  Object.fromEntries(
    await Promise.all(
      OWN_MIGRATIONS.map(async (name) => {
        const statements = await Bun.file(`${MIGRATIONS_DIRECTORY}/${name}.sql`).text()
        const up = async (tx: Kysely<unknown>) => {
          await lockSchema(tx)
          await sql.raw(statements).execute(tx)
        }
        return [name, { up }] as const
      }),
    ),
  )

/** Migrates to this version's schema. Concurrent calls are safe: the migrator's lock admits one. */
export const migrate = async (db: Database) => {
  const newest = (await missingMigrations(db)).at(-1)
  if (!newest) return []
  await sql`SELECT pg_notify(${SCHEMA_CHANGING}, ${newest})`.execute(db)
  // The camelCase plugin would rename the migrator's own table.
  const migrator = new Migrator({ db: db.withoutPlugins(), provider: { getMigrations: readMigrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  return results?.filter((result) => result.status === 'Success').map((result) => result.migrationName) ?? []
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
const migrationsOf = async (db: Database) => {
  const exists = await sql<{ found: boolean }>`SELECT to_regclass('kysely_migration') IS NOT NULL AS found`.execute(db)
  if (!exists.rows[0]?.found) return []
  const run = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db)
  return run.rows.map((row) => row.name)
}

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
