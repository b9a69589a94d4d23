import { createConduct } from '../conduct.ts'
import { acknowledgesBeforeCommit } from '../controls/entries.ts'
import type { Fault } from '../fault.ts'
import { createLedger } from '../ledger.ts'
import { startVisitors } from '../traffic/visitors.ts'

/** Postgres is killed; the service answers 503 and restarts it. */
export const killPostgres: Fault = {
  name: 'kill-postgres',
  promise:
    'kill -9 of Postgres under load: 503 with Retry-After meanwhile, automatic recovery, nothing acknowledged is lost',
  rounds: { long: 20, short: 1 },
  control: {
    entry: acknowledgesBeforeCommit,
    wrong: 'acknowledges sales before they are committed',
    finds: /sales: lost/,
  },
  play: async ({ stage, entry, rounds, log }) => {
    const service = await stage.start({ dataDir: stage.copyTemplate(), entry })
    const ledger = createLedger()
    const conduct = createConduct()
    const findings: string[] = []
    for (let round = 1; round <= rounds && findings.length === 0; round++) {
      const load = startVisitors({ ...service, ledger, conduct, visitors: 24 })
      await load.untilAcknowledged(50)
      await Bun.sleep(Math.random() * 300)
      await service.losePostgres('SIGKILL')
      await load.stop()
      findings.push(...(await service.check(ledger)))
      log(`round ${round}: ${ledger.count('acknowledged')} acknowledged so far, answers ${conduct.statuses()}`)
    }
    return {
      findings: [...findings, ...conduct.findings()],
      figures: `${ledger.count('acknowledged')} acknowledged; answers: ${conduct.statuses()}`,
    }
  },
}
