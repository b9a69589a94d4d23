import { createReadStream, readdirSync, statSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

const GB = 2 ** 30

/**
 * Reads the whole cluster once, so that it is in memory as after months of service. Otherwise a database that was just
 * filled or started would measure the disk, with different figures each time.
 */
export const readIntoMemory = async (home: string, progress: (text: string) => void) => {
  const files = readdirSync(join(home, 'cluster', 'base'), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
  const bytes = files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)
  const size = `${(bytes / GB).toFixed(1)} GB`
  // Free memory excludes the reclaimable page cache, so a machine that has already read everything may report too
  // little.
  if (bytes > freemem()) progress(`the database has ${size}, more than the free memory: not all of it may stay cached`)
  progress(`reading ${size} of the database into memory`)
  for (const file of files) await readOnce(file).catch(ignoreMissing)
}

const readOnce = async (file: string) => {
  for await (const _ of createReadStream(file, { highWaterMark: 2 ** 20 }));
}

/** The server is running, so temporary files may disappear. */
const ignoreMissing = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error
}
