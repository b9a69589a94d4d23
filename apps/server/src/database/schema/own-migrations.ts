import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../../config/startup-error.ts'

export const MIGRATIONS_DIRECTORY = join(import.meta.dir, '../../../migrations')

/** Read once at load: files that a later checkout adds do not belong to this process. */
export const OWN_MIGRATIONS: readonly string[] = readdirSync(MIGRATIONS_DIRECTORY)
  .filter((file) => file.endsWith('.sql'))
  .map((file) => file.replace('.sql', ''))
  .sort()

/** The database's schema is not this version's, so this process must not serve (docs/decisions/0025). */
export class SchemaMismatch extends StartupError {
  override name = 'SchemaDiffers'
}

/** Compares the migrations run in the database with this version's. */
export const findSchemaMismatch = (run: string[]): SchemaMismatch | null => {
  const missing = OWN_MIGRATIONS.find((name) => !run.includes(name))
  const unknown = run.toSorted().find((name) => !OWN_MIGRATIONS.includes(name))
  if (unknown)
    return new SchemaMismatch(
      `The database has migration ${unknown}, which this version does not know. Stopping; start the newer version here too.`,
    )
  if (missing)
    return new SchemaMismatch(
      `The database is missing this version's migration ${missing}. Restart the service to run it.`,
    )
  return null
}

/** A newer version announces its migration so that older processes stop first. */
export const findAnnouncedMismatch = (migration: string): SchemaMismatch | null =>
  OWN_MIGRATIONS.includes(migration)
    ? null
    : new SchemaMismatch(
        `A newer version is migrating the database (${migration}). Stopping; start the newer version here too.`,
      )
