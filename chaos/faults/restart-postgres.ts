import { createConduct } from '../conduct.ts'
import { marksBeforeApplying } from '../controls/entries.ts'
import type { Fault } from '../fault.ts'
import { createLedger } from '../ledger.ts'
import { startVisitors } from '../traffic/visitors.ts'

/** As for a Postgres update: it ends sessions, stops and starts. Callers retry everything unacknowledged. */
export const restartPostgres: Fault = {
  name: 'restart-postgres',
  promise: 'restart of Postgres under load, with every call retried until it is acknowledged: each has one effect',
  rounds: { long: 10, short: 1 },
  control: {
    entry: marksBeforeApplying,
    wrong: 'marks an event as received before it is applied',
    finds: /webhooks: lost/,
  },
  play: async ({ stage, entry, rounds, log }) => {
    const service = await stage.start({ dataDir: stage.copyTemplate(), entry })
    const ledger = createLedger()
    const conduct = createConduct()
    const findings: string[] = []
    for (let round = 1; round <= rounds && findings.length === 0; round++) {
      const load = startVisitors({ ...service, ledger, conduct, visitors: 24, retries: true })
      await load.untilAcknowledged(100)
      await service.losePostgres('SIGINT') // fast shutdown
      await load.stop()
      findings.push(...(await service.check(ledger)))
      log(`round ${round}: ${ledger.count('acknowledged')} acknowledged so far, answers ${conduct.statuses()}`)
    }
    const { count } = ledger
    if (count('acknowledged') === 0 || count('unknown') + count('refused') > 0)
      findings.push(`${count('unknown') + count('refused')} calls were never acknowledged, although they were retried`)
    return {
      findings: [...findings, ...conduct.findings()],
      figures: `${count('acknowledged')} acknowledged; answers: ${conduct.statuses()}`,
    }
  },
}
