import { existsSync, mkdirSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { StartupError } from '../config/startup-error.ts'
import { startEmbeddedPostgres } from '../database/embedded.ts'
import { isServiceRunning } from '../database/schema/installed.ts'
import { hasData, removeSchema } from '../database/schema/schema.ts'
import { asOwner } from '../database/start/as-owner.ts'
import { orStartupError } from '../database/start/or-startup-error.ts'
import { refuseForeignDatabase, refuseOldPostgres } from '../database/start/refuse-unsafe.ts'
import { loadSecrets, type Secrets, saveSecrets, secretsFile } from '../secrets.ts'
import { lockInstance } from '../startup/instance-lock.ts'

type Options = { secrets: Secrets; force: boolean }

/**
 * Opens an empty database to restore into, with the backup's secrets. Existing data is removed only with `force`, and never
 * while a service is running on it. Tables of other applications are never removed.
 */
export const openEmptyDatabase = async (
  { dataDir, databaseUrl, databaseOwnerUrl, givenSecrets }: Config,
  { secrets, force }: Options,
) => {
  refuseOtherGivenSecrets(givenSecrets, secrets)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const lock = lockInstance(dataDir)
  // An existing cluster keeps its own password; all other secrets come from the backup.
  const existing = existsSync(secretsFile(dataDir)) ? loadSecrets(dataDir) : null
  const databasePassword = existing?.databasePassword ?? secrets.databasePassword
  if (!existing) saveSecrets(dataDir, secrets)
  // Not archived: a trial restore with the service's settings must not touch its ARCHIVE_DIR. The service copies what is missing.
  const server = databaseUrl ? null : await startEmbeddedPostgres({ dataDir, password: databasePassword })
  const url = databaseOwnerUrl ?? databaseUrl ?? server?.url ?? ''
  const close = async () => {
    await server?.stop()
    lock.release()
  }
  try {
    await orStartupError(
      asOwner(url, async (db) => {
        await refuseOldPostgres(db)
        await refuseForeignDatabase(db)
        if (await isServiceRunning(db)) throw new StartupError('A service is using this database. Stop it first.')
        if (!force && (await hasData(db)))
          throw new StartupError(
            'This instance already has data. Restore into another DATA_DIR, or add --force to replace everything in it.',
          )
        await removeSchema(db)
      }),
    )
    saveSecrets(dataDir, { ...secrets, databasePassword })
    return { url, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Given secrets win over the restored ones, and with others nothing in the backup would match. */
export const refuseOtherGivenSecrets = (given: Config['givenSecrets'], { sessionSecret, hashKey }: Secrets) => {
  if (given && (given.sessionSecret !== sessionSecret || given.hashKey !== hashKey))
    throw new StartupError(
      'SESSION_SECRET and HASH_KEY are not those of the backup. Unset them, or set them to the values of the instance that was backed up.',
    )
}
