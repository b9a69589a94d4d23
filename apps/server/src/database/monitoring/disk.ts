import { existsSync, statfsSync } from 'node:fs'
import { findHome } from '../embedded/data-folder.ts'

/** Free and total bytes of the disk with the embedded database, or with DATA_DIR; null if there is neither. */
export const readDisk = (dataDir: string) => {
  const home = dataDir && findHome(dataDir)
  const folder = [home, dataDir].find((path) => path && existsSync(path))
  if (!folder) return null
  const { bavail, blocks, bsize } = statfsSync(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}
