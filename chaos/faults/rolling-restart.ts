import { childrenOf } from '../../apps/server/test/lifecycle/processes.ts'
import { createConduct } from '../conduct.ts'
import { replacesAbruptly } from '../controls/entries.ts'
import type { Fault } from '../fault.ts'
import type { Instance } from '../instance/instance.ts'
import { until } from '../instance/until.ts'
import { createLedger } from '../ledger.ts'
import { startVisitors } from '../traffic/visitors.ts'

const WORKERS = 2

const workersOf = (service: Instance) =>
  childrenOf(service.pid())
    .filter(({ command }) => command.includes('workers/worker.ts'))
    .map(({ pid }) => pid)

/** New code for every worker under load. */
export const rollingRestart: Fault = {
  name: 'rolling-restart',
  promise: `rolling restart of ${WORKERS} workers under load: no call fails`,
  rounds: { long: 10, short: 1 },
  control: {
    entry: replacesAbruptly,
    wrong: 'stops its workers before their replacements have started',
    finds: /no answer/,
  },
  play: async ({ stage, entry, rounds, isLong, log }) => {
    const env = { WORKERS: String(WORKERS) }
    const service = await stage.start({ dataDir: stage.copyTemplate(), entry, env })
    const ledger = createLedger()
    const conduct = createConduct()
    const findings: string[] = []
    // Opens database connections and compiles code before the measurement.
    const warm = startVisitors({ ...service, ledger, conduct: createConduct(), visitors: 8 })
    await warm.untilAcknowledged(100)
    await warm.stop()
    for (let round = 1; round <= rounds && findings.length + conduct.findings().length === 0; round++) {
      const before = workersOf(service)
      const load = startVisitors({ ...service, ledger, conduct, visitors: isLong ? 32 : 8 })
      await load.untilAcknowledged(50)
      service.signal('SIGUSR2')
      await until('all workers are replaced', () => {
        const now = workersOf(service)
        return now.length === WORKERS && !now.some((pid) => before.includes(pid))
      })
      await service.untilReady()
      await load.stop()
      findings.push(...(await service.check(ledger)))
      log(`round ${round}: answers ${conduct.statuses()}`)
    }
    if (conduct.count(503) + conduct.count(429) > 0) findings.push(`calls were refused: ${conduct.statuses()}`)
    return { findings: [...findings, ...conduct.findings()], figures: `calls: ${conduct.statuses()}` }
  },
}
