import { readdirSync } from 'node:fs'
import { StartupError } from '../../config/startup-error.ts'

export const MIGRATIONS_DIRECTORY = `${import.meta.dir}/../../../migrations`

/** Read once, with the code: what a later checkout adds to the directory does not belong to this process. */
export const OWN_MIGRATIONS: readonly string[] = readdirSync(MIGRATIONS_DIRECTORY)
  .filter((file) => file.endsWith('.sql'))
  .map((file) => file.replace('.sql', ''))
  .sort()

/** The database's schema is not the one this process was written for, so it must not serve (docs/decisions/0025). */
export class SchemaDiffers extends StartupError {
  override name = 'SchemaDiffers'
}

/** Compares what was run in the database with this process's own migrations. */
export const schemaDifference = (run: string[]): SchemaDiffers | null => {
  const missing = OWN_MIGRATIONS.find((name) => !run.includes(name))
  const unknown = run.toSorted().find((name) => !OWN_MIGRATIONS.includes(name))
  if (unknown)
    return new SchemaDiffers(
      `The database has migration ${unknown}, which this version does not know, so it stops. Start the newer version here too.`,
    )
  if (missing)
    return new SchemaDiffers(
      `The database does not have migration ${missing} of this version. Restart the service: it migrates when it starts.`,
    )
  return null
}

/** Before it migrates, a newer version asks the older ones to stop. */
export const announcedDifference = (migration: string): SchemaDiffers | null =>
  OWN_MIGRATIONS.includes(migration)
    ? null
    : new SchemaDiffers(
        `A newer version is migrating the database (${migration}), so this one stops. Start the newer version here too.`,
      )
