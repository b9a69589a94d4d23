import { createConduct } from '../conduct.ts'
import { acknowledgesBeforeCommit } from '../controls/entries.ts'
import type { Fault } from '../fault.ts'
import { createLedger } from '../ledger.ts'
import { startVisitors } from '../traffic/visitors.ts'

/** The process dies in the middle of everything, with its responses half written. */
export const killService: Fault = {
  name: 'kill-service',
  promise: 'kill -9 of the service under load: nothing acknowledged is lost, nothing is stored twice',
  rounds: { long: 50, short: 1 },
  control: {
    entry: acknowledgesBeforeCommit,
    wrong: 'acknowledges sales before they are committed',
    finds: /sales: lost/,
  },
  play: async ({ stage, entry, rounds, log }) => {
    const service = await stage.start({ dataDir: stage.copyTemplate(), entry })
    const ledger = createLedger()
    const conduct = createConduct({ mayBreak: true })
    const findings: string[] = []
    for (let round = 1; round <= rounds && findings.length === 0; round++) {
      const load = startVisitors({ ...service, ledger, conduct, visitors: 24 })
      await load.untilAcknowledged(50)
      await Bun.sleep(Math.random() * 500)
      await service.killOutright()
      await load.stop()
      await service.start()
      findings.push(...(await service.check(ledger)))
      log(`round ${round}: ${ledger.count('acknowledged')} acknowledged so far`)
    }
    return {
      findings: [...findings, ...conduct.findings()],
      figures: `${ledger.count('acknowledged')} acknowledged, ${ledger.count('unknown')} without an answer`,
    }
  },
}
