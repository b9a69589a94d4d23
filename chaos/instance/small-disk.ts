import { spawnSync } from 'node:child_process'
import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, type Stage } from './stage.ts'

const DISK_MB = 256

/** Mounts a small file system that the test can fill. */
export const mountSmallDisk = (stage: Stage) => {
  const disk = join(stage.folder, 'disk')
  mkdirSync(disk)
  if (!mount(disk)) throw new Error('the small disk cannot be mounted')
  stage.afterwards(() => spawnSync('umount', ['--lazy', disk]))
  const ballast = join(disk, 'ballast')
  return {
    dataDir: join(disk, 'data'),
    fill: () => {
      const file = openSync(ballast, 'w')
      const { bavail, bsize } = statfsSync(disk)
      const block = Buffer.alloc(64 * 1024, 1)
      try {
        for (let left = bavail * bsize; left > 0; left -= block.length) writeSync(file, block)
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOSPC') throw error
      }
      closeSync(file)
    },
    free: () => {
      const file = openSync(ballast, 'r+')
      ftruncateSync(file, 0)
      closeSync(file)
    },
    remove: () => rmSync(ballast, { force: true }),
  }
}

const mount = (folder: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=0711`, 'tmpfs', folder]).status === 0

/** Tries it, because even root may be forbidden to mount in a container. */
export const cannotMount = () => {
  const { folder, remove } = makeFolder()
  const isMounted = mount(folder)
  if (isMounted) spawnSync('umount', [folder])
  remove()
  return isMounted
    ? null
    : 'The full disk cannot run here: it needs a small file system, and this user may not mount one.'
}
