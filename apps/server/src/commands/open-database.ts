import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { StartupError } from '../config/startup-error.ts'
import { addressesOfRunning } from '../database/embedded/running.ts'
import { startEmbeddedPostgres } from '../database/embedded.ts'
import { lockInstance } from '../instance-lock.ts'
import { loadSecrets } from '../secrets.ts'

type Opened = { url: string; serviceUrl: string; close: () => Promise<void> }

/**
 * The database of this installation for a command beside the service, as its owner (`url`) and as the service: DATABASE_URL, else the server that the running service
 * has started, else the same server, started for as long as the command takes.
 */
export const openInstalledDatabase = async ({ databaseUrl, databaseOwnerUrl, dataDir }: Config): Promise<Opened> => {
  if (databaseUrl) return { url: databaseOwnerUrl ?? databaseUrl, serviceUrl: databaseUrl, close: async () => {} }
  if (!existsSync(join(dataDir, 'secrets.json')))
    throw new StartupError(`There is no Tributary in ${dataDir}: set DATA_DIR or DATABASE_URL as the service has it.`)
  const password = loadSecrets(dataDir).databasePassword
  const lock = tryToLock(dataDir)
  if (!lock) return connectToRunning({ dataDir, password })
  try {
    const server = await startEmbeddedPostgres({ dataDir, password })
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

/** Whoever cannot have the lock knows that the service runs. */
const tryToLock = (dataDir: string) => {
  try {
    return lockInstance(dataDir)
  } catch (error) {
    if (error instanceof StartupError && /already running/.test(error.message)) return null
    throw error
  }
}

const connectToRunning = ({ dataDir, password }: { dataDir: string; password: string }): Opened => {
  const addresses = addressesOfRunning({ dataDir, password })
  if (!addresses) throw new StartupError(`The service in ${dataDir} is starting or stopping; try again in a moment.`)
  return { ...addresses, close: async () => {} }
}
