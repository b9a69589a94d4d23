import { createReadStream, readdirSync, statSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

const GB = 2 ** 30

/**
 * Reads the whole cluster once, so that it is in the machine's memory as it is after months of service. A database that was filled or
 * started a minute ago may not be: then every figure is that of the disk, and another one the next time.
 */
export const readIntoMemory = async (home: string, progress: (text: string) => void) => {
  const files = readdirSync(join(home, 'cluster', 'base'), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
  const bytes = files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)
  const size = `${(bytes / GB).toFixed(1)} GB`
  // Free memory leaves out what the system would give up at once, so a machine that has read it all already may say too little.
  if (bytes > freemem()) progress(`the database has ${size}, more than there is free memory: not all of it may stay`)
  progress(`reading ${size} of the database into memory`)
  for (const file of files) await readThrough(file).catch(orGone)
}

const readThrough = async (file: string) => {
  for await (const _ of createReadStream(file, { highWaterMark: 2 ** 20 }));
}

/** The server runs meanwhile, and what it needed for a moment only is not there any more. */
const orGone = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error
}
