import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const ENOUGH_BYTES = 2 ** 30

/** Linux keeps /dev/shm in memory, and a container may have little of it. Tests of durability use the disk. */
export const fastFolder = () => {
  if (!existsSync('/dev/shm')) return tmpdir()
  const { bavail, bsize } = statfsSync('/dev/shm')
  return bavail * bsize > ENOUGH_BYTES ? '/dev/shm' : tmpdir()
}
