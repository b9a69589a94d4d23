import { type Kysely, type Migration, Migrator, sql } from 'kysely'
import { StartupError } from '../../config/startup-error.ts'
import type { Database } from '../connect.ts'
import { MIGRATIONS_DIRECTORY, OWN_MIGRATIONS } from './own-migrations.ts'
import { SCHEMA_CHANGING, takeSchema } from './schema-lock.ts'

/** Numbered SQL files are the truth of the schema; they only ever go forward. */
const readMigrations = async (): Promise<Record<string, Migration>> =>
  Object.fromEntries(
    await Promise.all(
      OWN_MIGRATIONS.map(async (name) => {
        const statements = await Bun.file(`${MIGRATIONS_DIRECTORY}/${name}.sql`).text()
        const up = async (tx: Kysely<unknown>) => {
          await takeSchema(tx)
          await sql.raw(statements).execute(tx)
        }
        return [name, { up }] as const
      }),
    ),
  )

/** Brings the schema up to this code. Several processes may call it at once: the migrator's lock lets one work. */
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

/** Brings an empty schema to where a backup was, so that its rows fit. */
export const migrateTo = async (db: Database, migrations: string[]) => {
  const newer = migrations.find((name) => !OWN_MIGRATIONS.includes(name))
  if (newer) throw new StartupError(`The backup is of a newer Tributary (${newer}): restore it with that version.`)
  const migrator = new Migrator({ db: db.withoutPlugins(), provider: { getMigrations: readMigrations } })
  const { error } = await migrator.migrateTo(migrations.toSorted().at(-1) ?? '')
  if (error) throw error
}

/** What was run here, by whichever version. */
const migrationsOf = async (db: Database) => {
  const exists = await sql<{ found: boolean }>`SELECT to_regclass('kysely_migration') IS NOT NULL AS found`.execute(db)
  if (!exists.rows[0]?.found) return []
  const run = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db)
  return run.rows.map((row) => row.name)
}

/** Others use the migrator as well. */
export const isMigratedByUs = async (db: Database) =>
  (await migrationsOf(db)).some((name) => name === OWN_MIGRATIONS[0])

/** Migrations of this version that were not run here. */
export const missingMigrations = async (db: Database) => {
  const run = new Set(await migrationsOf(db))
  return OWN_MIGRATIONS.filter((name) => !run.has(name))
}

/** Migrations that were run here by a newer version of the service. */
export const unknownMigrations = async (db: Database) =>
  (await migrationsOf(db)).filter((name) => !OWN_MIGRATIONS.includes(name))
