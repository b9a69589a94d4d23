import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findHome } from './data-folder.ts'
import { embeddedUrls } from './urls.ts'

/** Connection URLs of the server that a running service started in DATA_DIR, or null if there is none. */
export const findRunningUrls = ({ dataDir, password }: { dataDir: string; password: string }) => {
  const pidFile = join(findHome(dataDir), 'cluster', 'postmaster.pid')
  // postmaster.pid lists PID, directory, start time, port and then the socket folder, which can differ from `home`.
  const folder = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').split('\n')[4] : null
  if (!folder) return null
  return embeddedUrls({ folder, password })
}
