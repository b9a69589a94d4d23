import { createConduct } from '../conduct.ts'
import { forgetsRepetitions } from '../controls/entries.ts'
import type { Fault } from '../fault.ts'
import { createLedger } from '../ledger.ts'
import { openProxy } from '../proxy/pass.ts'
import { keepTrading } from '../traffic/trade.ts'

const CUT_ONE_IN = 5

/** The service has committed and answered; the caller never hears of it and sends the same again. */
export const cutAnswers: Fault = {
  name: 'cut-answers',
  promise: 'connections to callers cut before the answer arrives: the same call again gives one effect',
  rounds: { long: 10, short: 1 },
  control: {
    entry: forgetsRepetitions,
    wrong: 'does not recognise a click that is sent again',
    finds: /clicks: there more than once/,
  },
  play: async ({ stage, entry, rounds, say }) => {
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
      const trade = keepTrading({ ...service, port: proxy.port, ledger, conduct, visitors: 16, retries: true })
      await trade.untilAcknowledged(200)
      await trade.stop()
      findings.push(...(await service.check(ledger)))
      say(`round ${round}: ${ledger.count('acknowledged')} acknowledged so far, ${cuts} answers cut`)
    }
    const open = ledger.count('unknown') + ledger.count('refused')
    if (open > 0) findings.push(`${open} calls were never acknowledged, although they were sent again`)
    if (cuts === 0) findings.push('no answer was cut')
    return {
      findings: [...findings, ...conduct.findings()],
      figures: `${ledger.count('acknowledged')} acknowledged, ${cuts} answers cut`,
    }
  },
}
