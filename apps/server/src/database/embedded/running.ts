import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addressesOf } from './addresses.ts'
import { recordFile } from './place.ts'

/** The addresses of the server that a running service has started in DATA_DIR, or null where there is none. */
export const addressesOfRunning = ({ dataDir, password }: { dataDir: string; password: string }) => {
  const record = recordFile(dataDir)
  const home = existsSync(record) ? readFileSync(record, 'utf8').trim() : join(dataDir, 'postgres')
  const pidFile = join(home, 'cluster', 'postmaster.pid')
  // Postgres writes down its process, directory, start, port and then the folder of its socket, which need not be `home`.
  const folder = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').split('\n')[4] : null
  if (!folder) return null
  return addressesOf({ folder, password })
}

/** The owner's. */
export const addressOfRunning = (of: { dataDir: string; password: string }) => addressesOfRunning(of)?.url ?? null
