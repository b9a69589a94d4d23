import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { StartupError } from '../config/startup-error.ts'
import { startEmbeddedPostgres } from '../database/embedded.ts'
import { isInService } from '../database/schema/installed.ts'
import { hasData, removeSchema } from '../database/schema/schema.ts'
import { asOwner } from '../database/start/as-owner.ts'
import { orStartupError } from '../database/start/or-startup-error.ts'
import { lockInstance } from '../instance-lock.ts'
import { keepSecrets, loadSecrets, type Secrets } from '../secrets.ts'

type Options = { secrets: Secrets; force: boolean }

/**
 * A database without anything in it, for a backup to be read into, and the backup's secrets beside it. What is there already is
 * only removed by force, and never below a service that runs.
 */
export const openEmptyDatabase = async (
  { dataDir, databaseUrl, databaseOwnerUrl }: Config,
  { secrets, force }: Options,
) => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const lock = lockInstance(dataDir)
  // The cluster that is there opens with its own password; everything else about it is the backup's from now on.
  const present = existsSync(join(dataDir, 'secrets.json')) ? loadSecrets(dataDir) : null
  const databasePassword = present?.databasePassword ?? secrets.databasePassword
  if (!present) keepSecrets(dataDir, secrets)
  const server = databaseUrl ? null : await startEmbeddedPostgres({ dataDir, password: databasePassword })
  const url = databaseOwnerUrl ?? databaseUrl ?? server?.url ?? ''
  const close = async () => {
    await server?.stop()
    lock.release()
  }
  try {
    await orStartupError(
      asOwner(url, async (db) => {
        if (await isInService(db)) throw new StartupError('A service works on this database: stop it first.')
        if (!force && (await hasData(db)))
          throw new StartupError(
            'There is an instance with data already. Restore into another DATA_DIR, or add --force to replace all of it.',
          )
        await removeSchema(db)
      }),
    )
    keepSecrets(dataDir, { ...secrets, databasePassword })
    return { url, close }
  } catch (error) {
    await close()
    throw error
  }
}
