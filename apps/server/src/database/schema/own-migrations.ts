import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../../config/startup-error.ts'

export const MIGRATIONS_DIRECTORY = join(import.meta.dir, '../../../migrations')

/** Read once at load: files that a later checkout adds do not belong to this process. */
export const OWN_MIGRATIONS: readonly string[] = readdirSync(MIGRATIONS_DIRECTORY)
  .filter((file) => file.endsWith('.sql'))
  .map((file) => file.replace('.sql', ''))
  .sort()

/** Migrations are numbered with four digits, so numbers compare as text. */
export const numberOf = (migration: string) => migration.slice(0, 4)

/** A process's version is the number of its newest migration. */
export const OWN_VERSION = numberOf(OWN_MIGRATIONS.at(-1) ?? '')

/**
 * The oldest version that may keep running after a migration. `0031-notes.beside-0030` declares that version 0030 may; a name
 * without this ending allows none (docs/decisions/0040).
 */
export const oldestBeside = (migration: string) => /\.beside-(\d{4})$/.exec(migration)?.[1] ?? numberOf(migration)

/** Whether this process may keep serving after a newer version ran a migration that it does not know. */
const canRunBeside = (migration: string) => numberOf(migration) > OWN_VERSION && oldestBeside(migration) <= OWN_VERSION

/** The database's schema is not this version's, so this process must not serve (docs/decisions/0025). */
export class SchemaMismatch extends StartupError {
  override name = 'SchemaMismatch'
}

/** Whether this version knows the migration or can run beside it. */
export const isAcceptable = (migration: string) => OWN_MIGRATIONS.includes(migration) || canRunBeside(migration)

/** Compares the migrations run in the database with this version's. */
export const findSchemaMismatch = (run: string[]): SchemaMismatch | null => {
  const missing = OWN_MIGRATIONS.find((name) => !run.includes(name))
  const unknown = run.toSorted().find((name) => !isAcceptable(name))
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

/** A newer version announces each of its migrations so that older processes stop first. */
export const findAnnouncedMismatch = (migration: string): SchemaMismatch | null =>
  isAcceptable(migration)
    ? null
    : new SchemaMismatch(
        `A newer version is migrating the database (${migration}). Stopping; start the newer version here too.`,
      )
