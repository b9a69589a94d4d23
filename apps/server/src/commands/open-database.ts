import { existsSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { StartupError } from '../config/startup-error.ts'
import { findRunningUrls } from '../database/embedded/running.ts'
import { startEmbeddedPostgres } from '../database/embedded.ts'
import { loadSecrets, secretsFile } from '../secrets.ts'
import { lockInstance } from '../startup/instance-lock.ts'

type OpenDatabase = { url: string; serviceUrl: string; close: () => Promise<void> }

/**
 * Opens this installation's database as its owner (`url`) and as the service (`serviceUrl`): DATABASE_URL if set, otherwise the
 * running service's embedded server, otherwise that server started for the duration of the command.
 */
export const openInstalledDatabase = async ({
  databaseUrl,
  databaseOwnerUrl,
  dataDir,
  backup: { archiveDir },
}: Config): Promise<OpenDatabase> => {
  if (databaseUrl) return { url: databaseOwnerUrl ?? databaseUrl, serviceUrl: databaseUrl, close: async () => {} }
  if (!existsSync(secretsFile(dataDir)))
    throw new StartupError(
      `${dataDir} has no Tributary instance. Set DATA_DIR or DATABASE_URL to the same value as the service.`,
    )
  const password = loadSecrets(dataDir).databasePassword
  const lock = tryToLock(dataDir)
  if (!lock) return connectToRunning({ dataDir, password })
  try {
    const server = await startEmbeddedPostgres({ dataDir, password, archiveDir })
    const close = async () => {
      await server.stop()
      lock.release()
    }
    return { url: server.url, serviceUrl: server.serviceUrl, close }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Null means the service holds the lock, so it is running. */
const tryToLock = (dataDir: string) => {
  try {
    return lockInstance(dataDir)
  } catch (error) {
    if (error instanceof StartupError && /already running/.test(error.message)) return null
    throw error
  }
}

const connectToRunning = ({ dataDir, password }: { dataDir: string; password: string }): OpenDatabase => {
  const urls = findRunningUrls({ dataDir, password })
  if (!urls) throw new StartupError(`The service in ${dataDir} is starting or stopping. Try again in a moment.`)
  return { ...urls, close: async () => {} }
}
