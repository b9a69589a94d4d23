import { childrenOf, isAlive } from '../../apps/server/test/lifecycle/processes.ts'
import { createConduct } from '../conduct.ts'
import { forgetsLeases } from '../controls/entries.ts'
import type { Fault } from '../fault.ts'
import type { Instance } from '../instance/instance.ts'
import { createLedger } from '../ledger.ts'
import { LOCAL_RECEIVERS, openMerchant } from '../merchant/merchant.ts'
import { startVisitors } from '../traffic/visitors.ts'

const WORKERS = 2
/** Calls to the frozen worker get no response. */
const TIMEOUT_MS = 3_000

const workersOf = (service: Instance) =>
  childrenOf(service.pid())
    .filter(({ command }) => command.includes('workers/worker.ts'))
    .map(({ pid }) => pid)

/** Two processes send from one outbox. Then one freezes until its leases have ended, and wakes up again. */
export const freezeWorker: Fault = {
  name: 'freeze-worker',
  promise:
    'two processes on one outbox send each delivery once; when one freezes, the other takes over, and what the first does after waking up changes nothing',
  rounds: { long: 4, short: 1 },
  control: { entry: forgetsLeases, wrong: 'forgets who is sending a delivery', finds: /sent \d+ deliveries again/ },
  play: async ({ stage, entry, rounds, log }) => {
    const env = { ...LOCAL_RECEIVERS, WORKERS: String(WORKERS) }
    const service = await stage.start({ dataDir: stage.copyTemplate(), entry, env })
    const merchant = await openMerchant(stage, service)
    const ledger = createLedger()
    const conduct = createConduct({ mayBreak: true })
    const visit = () => startVisitors({ ...service, ledger, conduct, visitors: 8, timeoutMs: TIMEOUT_MS })
    const calm = visit()
    await merchant.untilBusy(50)
    await calm.stop()
    await merchant.untilSent()
    const [{ repeated }] = await service.query('SELECT count(*) AS repeated FROM webhook_attempts WHERE number > 1')
    const again = merchant.receivers.reduce((sum, receiver) => sum + receiver.repeats(), 0) - Number(repeated)
    const findings = again > 0 ? [`sent ${again} deliveries again without a reason`] : []
    for (let round = 1; round <= rounds && findings.length === 0; round++) {
      const workers = workersOf(service)
      const frozen = workers[round % workers.length] ?? 0
      const load = visit()
      await merchant.untilBusy()
      process.kill(frozen, 'SIGSTOP')
      stage.afterwards(() => isAlive(frozen) && process.kill(frozen, 'SIGCONT'))
      await load.stop()
      await merchant.untilSent()
      process.kill(frozen, 'SIGCONT')
      await service.untilReady()
      log(`round ${round}: ${merchant.figures()}`)
    }
    findings.push(...(await merchant.check()), ...(await service.check(ledger)))
    return { findings, figures: merchant.figures() }
  },
}
