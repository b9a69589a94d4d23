import { createConduct } from '../conduct.ts'
import { oneSlotPerCall } from '../controls/entries.ts'
import type { Fault } from '../fault.ts'
import { until } from '../instance/until.ts'
import { createLedger } from '../ledger.ts'
import { openSlowClients } from '../traffic/slow-clients.ts'
import { startVisitors } from '../traffic/visitors.ts'

const CLIENTS = { long: 2_000, short: 300 }
/** On a busy machine a test only checks that most got through; the control lets none through. */
const FINE_SHARE = { long: 0.99, short: 0.5 }

/** A client holds thousands of connections and sends almost nothing on each. */
export const slowClients: Fault = {
  name: 'slow-clients',
  promise:
    '2,000 clients that send a byte a second: at least 99 % of the normal calls succeed, and the slow clients are disconnected',
  rounds: { long: 1, short: 1 },
  control: {
    entry: oneSlotPerCall,
    wrong: 'reserves one of 32 slots for each call that is still being sent',
    finds: /of the normal calls/,
  },
  play: async ({ stage, entry, isLong, log }) => {
    const clients = CLIENTS[isLong ? 'long' : 'short']
    const service = await stage.start({ dataDir: stage.copyTemplate(), entry })
    const ledger = createLedger()
    const conduct = createConduct({ mayBreak: true })
    const slow = await openSlowClients(service.port, clients)
    stage.afterwards(slow.close)
    const atFirst = slow.open()
    const load = startVisitors({ ...service, ledger, conduct, visitors: 16, timeoutMs: 5_000 })
    await Bun.sleep(isLong ? 20_000 : 4_000)
    const stillThere = slow.open()
    await load.stop()
    const share = conduct.count(200) / conduct.total()
    log(`${atFirst} slow clients, ${stillThere} of them at the end of the load; answers ${conduct.statuses()}`)
    const findings = conduct.findings()
    if (atFirst < clients) findings.push(`only ${atFirst} of ${clients} slow clients could connect`)
    if (!(share >= FINE_SHARE[isLong ? 'long' : 'short']))
      findings.push(`${conduct.count(200)} of ${conduct.total()} of the normal calls succeeded`)
    if (isLong)
      await until('the slow clients are disconnected', () => slow.open() === 0, 40_000).catch((error) =>
        findings.push(error.message),
      )
    slow.close()
    findings.push(...(await service.check(ledger)))
    return {
      findings,
      figures: `${atFirst} slow clients; normal calls: ${conduct.statuses()}, slowest ${conduct.slowestMs()} ms`,
    }
  },
}
