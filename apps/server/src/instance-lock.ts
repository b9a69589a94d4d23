import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { StartupError } from './config/startup-error.ts'

/**
 * One service per DATA_DIR. SQLite's file lock is the kernel's: it ends with the process however that ends, so there
 * is no stale lock to judge and no process number to guess about.
 */
export const lockInstance = (dataDir: string) => {
  const lock = open(join(dataDir, 'instance.lock'))
  try {
    lock.run('PRAGMA journal_mode = MEMORY') // nothing is ever written, so no second file beside it
    lock.run('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') {
      throw new StartupError(`Another Tributary is already running on ${dataDir}: stop it, or set another DATA_DIR.`)
    }
    throw new StartupError(`${dataDir} cannot be locked (${error instanceof Error ? error.message : error}).`)
  }
  // Whoever holds this object keeps the lock: a collected connection would let go of it in silence.
  return { release: () => lock.close() }
}

const open = (file: string) => {
  try {
    return new Database(file)
  } catch (error) {
    throw new StartupError(`${file} cannot be opened (${error instanceof Error ? error.message : error}).`)
  }
}
