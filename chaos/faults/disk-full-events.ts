import { createConduct } from '../conduct.ts'
import { publishesAfterCommit } from '../controls/entries.ts'
import type { Fault } from '../fault.ts'
import { cannotMount, mountSmallDisk } from '../instance/small-disk.ts'
import { until } from '../instance/until.ts'
import { createLedger } from '../ledger.ts'
import { LOCAL_RECEIVERS, openMerchant } from '../merchant/merchant.ts'
import { startVisitors } from '../traffic/visitors.ts'

/** Neither a sale nor its event nor the result of a delivery fits any more. Then space is freed. */
export const diskFullEvents: Fault = {
  name: 'disk-full-events',
  promise:
    'disk full and freed while sales arrive and webhooks are sent: 503 while it is full, nothing acknowledged is lost, and every event arrives once space is back',
  rounds: { long: 3, short: 1 },
  control: {
    entry: publishesAfterCommit,
    wrong: 'writes events in a transaction of their own after the change',
    finds: /without their event/,
  },
  impossible: cannotMount,
  play: async ({ stage, entry, rounds, log }) => {
    const disk = mountSmallDisk(stage)
    const service = await stage.start({ dataDir: stage.copyTemplate(disk.dataDir), entry, env: LOCAL_RECEIVERS })
    const merchant = await openMerchant(stage, service)
    const ledger = createLedger()
    const conduct = createConduct()
    const findings: string[] = []
    for (let round = 1; round <= rounds && findings.length === 0; round++) {
      const refusedBefore = conduct.count(503)
      const load = startVisitors({ ...service, ledger, conduct, visitors: 8 })
      await merchant.untilBusy()
      disk.fill()
      // The current WAL segment would still take some megabytes; the next one does not fit.
      await service.query('SELECT pg_switch_wal()').catch(() => {})
      await until('calls are answered 503', () => conduct.count(503) > refusedBefore + 50)
      disk.free()
      await service.untilReady()
      await load.stop()
      findings.push(...(await merchant.check()), ...(await service.check(ledger)))
      log(`round ${round}: ${merchant.figures()}, answers ${conduct.statuses()}`)
    }
    disk.remove()
    return {
      findings: [...findings, ...conduct.findings()],
      figures: `${ledger.count('acknowledged')} acknowledged, ${conduct.count(503)} rejected with 503; ${merchant.figures()}`,
    }
  },
}
