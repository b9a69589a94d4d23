import { spawnSync } from 'node:child_process'
import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createConduct } from '../conduct.ts'
import { acknowledgesBeforeCommit } from '../controls/entries.ts'
import type { Fault } from '../fault.ts'
import { makeFolder, type Stage } from '../instance/stage.ts'
import { until } from '../instance/until.ts'
import { createLedger } from '../ledger.ts'
import { startVisitors } from '../traffic/visitors.ts'

const DISK_MB = 256

/** Mounts a small file system that the test can fill. */
const mountSmallDisk = (stage: Stage) => {
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
  }
}

const mount = (folder: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=0711`, 'tmpfs', folder]).status === 0

/** Tries it, because even root may be forbidden to mount in a container. */
const cannotMount = () => {
  const { folder, remove } = makeFolder()
  const isMounted = mount(folder)
  if (isMounted) spawnSync('umount', [folder])
  remove()
  return isMounted
    ? null
    : 'The full disk cannot run here: it needs a small file system, and this user may not mount one.'
}

/** Neither rows nor the write-ahead log fit any more. Then space is freed. */
export const diskFull: Fault = {
  name: 'disk-full',
  promise: 'disk full and freed under load: 503 while it is full, automatic recovery, nothing acknowledged is lost',
  rounds: { long: 5, short: 1 },
  control: {
    entry: acknowledgesBeforeCommit,
    wrong: 'acknowledges sales before they are committed',
    finds: /sales: lost/,
  },
  impossible: cannotMount,
  play: async ({ stage, entry, rounds, log }) => {
    const disk = mountSmallDisk(stage)
    const service = await stage.start({ dataDir: stage.copyTemplate(disk.dataDir), entry })
    const ledger = createLedger()
    const conduct = createConduct()
    const findings: string[] = []
    for (let round = 1; round <= rounds && findings.length === 0; round++) {
      const refusedBefore = conduct.count(503)
      const load = startVisitors({ ...service, ledger, conduct, visitors: 16 })
      await load.untilAcknowledged(50)
      disk.fill()
      // The current WAL segment would still take some megabytes; the next one does not fit.
      await service.query('SELECT pg_switch_wal()').catch(() => {})
      await until('calls are answered 503', () => conduct.count(503) > refusedBefore + 50)
      disk.free()
      await service.untilReady()
      await load.stop()
      findings.push(...(await service.check(ledger)))
      log(`round ${round}: ${ledger.count('acknowledged')} acknowledged so far, answers ${conduct.statuses()}`)
    }
    rmSync(join(disk.dataDir, '..', 'ballast'), { force: true })
    return {
      findings: [...findings, ...conduct.findings()],
      figures: `${ledger.count('acknowledged')} acknowledged; answers: ${conduct.statuses()}`,
    }
  },
}
