import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { StartupError } from '../config/startup-error.ts'

/** One service per DATA_DIR, and per archive. The kernel releases SQLite's file lock when the process dies, so a lock is never stale. */
export const lockInstance = (folder: string, setting = 'DATA_DIR') => {
  const lock = open(join(folder, 'instance.lock'))
  try {
    lock.run('PRAGMA journal_mode = MEMORY') // nothing is written, so avoid a journal file
    lock.run('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') {
      throw new StartupError(
        `Another Tributary is already running on ${folder}. Stop it or set a different ${setting}.`,
      )
    }
    throw new StartupError(`${folder} cannot be locked (${error instanceof Error ? error.message : error}).`)
  }
  // The caller must keep this object: a garbage-collected connection silently releases the lock.
  return { release: () => lock.close() }
}

const open = (file: string) => {
  try {
    return new Database(file)
  } catch (error) {
    throw new StartupError(`${file} cannot be opened (${error instanceof Error ? error.message : error}).`)
  }
}
