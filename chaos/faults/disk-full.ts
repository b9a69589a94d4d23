import { createConduct } from '../conduct.ts'
import { acknowledgesBeforeCommit } from '../controls/entries.ts'
import type { Fault } from '../fault.ts'
import { cannotMount, mountSmallDisk } from '../instance/small-disk.ts'
import { until } from '../instance/until.ts'
import { createLedger } from '../ledger.ts'
import { startVisitors } from '../traffic/visitors.ts'

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
    disk.remove()
    return {
      findings: [...findings, ...conduct.findings()],
      figures: `${ledger.count('acknowledged')} acknowledged; answers: ${conduct.statuses()}`,
    }
  },
}
