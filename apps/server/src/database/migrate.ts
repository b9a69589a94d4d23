import { readdir } from 'node:fs/promises'
import { type Kysely, type Migration, Migrator, sql } from 'kysely'
import { StartupError } from '../config/startup-error.ts'
import type { Database } from './connect.ts'

const DIRECTORY = `${import.meta.dir}/../../migrations`

/** Numbered SQL files are the truth of the schema; they only ever go forward. */
const readMigrations = async (): Promise<Record<string, Migration>> => {
  const files = (await readdir(DIRECTORY)).filter((file) => file.endsWith('.sql')).sort()
  const statements = await Promise.all(files.map((file) => Bun.file(`${DIRECTORY}/${file}`).text()))
  return Object.fromEntries(
    files.map((file, index) => [
      file.replace('.sql', ''),
      { up: async (db: Kysely<unknown>) => void (await sql.raw(statements[index] ?? '').execute(db)) },
    ]),
  )
}

/** Brings the schema up to this code. Several processes may call it at once: the migrator's lock lets one work. */
export const migrate = async (db: Database) => {
  // The camelCase plugin would rename the migrator's own table.
  const migrator = new Migrator({ db: db.withoutPlugins(), provider: { getMigrations: readMigrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  return results?.filter((result) => result.status === 'Success').map((result) => result.migrationName) ?? []
}

/** Brings an empty schema to where a backup was, so that its rows fit. */
export const migrateTo = async (db: Database, migrations: string[]) => {
  const known = await readMigrations()
  const newer = migrations.find((name) => !(name in known))
  if (newer) throw new StartupError(`The backup is of a newer Tributary (${newer}): restore it with that version.`)
  const migrator = new Migrator({ db: db.withoutPlugins(), provider: { getMigrations: async () => known } })
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
export const isMigratedByUs = async (db: Database) => {
  const [first] = Object.keys(await readMigrations())
  return (await migrationsOf(db)).some((name) => name === first)
}

/** Migrations of this version that were not run here. */
export const missingMigrations = async (db: Database) => {
  const run = new Set(await migrationsOf(db))
  return Object.keys(await readMigrations()).filter((name) => !run.has(name))
}

/** Migrations that were run here by a newer version of the service. */
export const unknownMigrations = async (db: Database) => {
  const known = new Set(Object.keys(await readMigrations()))
  return (await migrationsOf(db)).filter((name) => !known.has(name))
}
