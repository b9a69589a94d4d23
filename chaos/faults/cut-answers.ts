import { createConduct } from '../conduct.ts'
import { forgetsRetries } from '../controls/entries.ts'
import type { Fault } from '../fault.ts'
import { createLedger } from '../ledger.ts'
import { openProxy } from '../proxy/tcp-proxy.ts'
import { startVisitors } from '../traffic/visitors.ts'

const CUT_ONE_IN = 5

/** The service has committed and answered; the caller never receives the response and retries. */
export const cutAnswers: Fault = {
  name: 'cut-answers',
  promise: 'connections to callers cut before the response arrives: a retry has one effect',
  rounds: { long: 10, short: 1 },
  control: {
    entry: forgetsRetries,
    wrong: 'does not recognize a retried click',
    finds: /clicks: stored more than once/,
  },
  play: async ({ stage, entry, rounds, log }) => {
    const service = await stage.start({ dataDir: stage.copyTemplate(), entry })
    let cuts = 0
    const proxy = await openProxy({ port: service.port, host: '127.0.0.1' }, (client, server) => {
      client.on('data', (chunk: Buffer) => server.write(chunk))
      server.on('data', (chunk: Buffer) => {
        if (Math.random() * CUT_ONE_IN >= 1) return void client.write(chunk)
        cuts++
        client.destroy()
      })
    })
    stage.afterwards(proxy.close)
    const ledger = createLedger()
    const conduct = createConduct({ mayBreak: true })
    const findings: string[] = []
    for (let round = 1; round <= rounds && findings.length === 0; round++) {
      const load = startVisitors({ ...service, port: proxy.port, ledger, conduct, visitors: 16, retries: true })
      await load.untilAcknowledged(200)
      await load.stop()
      findings.push(...(await service.check(ledger)))
      log(`round ${round}: ${ledger.count('acknowledged')} acknowledged so far, ${cuts} responses cut`)
    }
    const open = ledger.count('unknown') + ledger.count('refused')
    if (open > 0) findings.push(`${open} calls were never acknowledged, although they were retried`)
    if (cuts === 0) findings.push('no response was cut')
    return {
      findings: [...findings, ...conduct.findings()],
      figures: `${ledger.count('acknowledged')} acknowledged, ${cuts} responses cut`,
    }
  },
}
