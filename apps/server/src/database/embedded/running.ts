import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addressesOf } from './addresses.ts'
import { recordFile } from './place.ts'

/** Connection URLs of the server that a running service started in DATA_DIR, or null if there is none. */
export const addressesOfRunning = ({ dataDir, password }: { dataDir: string; password: string }) => {
  const record = recordFile(dataDir)
  const home = existsSync(record) ? readFileSync(record, 'utf8').trim() : join(dataDir, 'postgres')
  const pidFile = join(home, 'cluster', 'postmaster.pid')
  // postmaster.pid lists PID, directory, start time, port and then the socket folder, which can differ from `home`.
  const folder = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').split('\n')[4] : null
  if (!folder) return null
  return addressesOf({ folder, password })
}

export const addressOfRunning = (of: { dataDir: string; password: string }) => addressesOfRunning(of)?.url ?? null
