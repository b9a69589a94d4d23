import { createConduct } from '../conduct.ts'
import { marksBeforeSending } from '../controls/entries.ts'
import type { Fault } from '../fault.ts'
import { createLedger } from '../ledger.ts'
import { LOCAL_RECEIVERS, openMerchant } from '../merchant/merchant.ts'
import { startVisitors } from '../traffic/visitors.ts'

/** The process dies while endpoints have not answered yet. */
export const killDeliveries: Fault = {
  name: 'kill-deliveries',
  promise:
    'kill -9 in the middle of webhook deliveries: a receiver that knows each webhook-id applies every event once, in order if it asks for that; pull and stream have no gap',
  rounds: { long: 5, short: 1 },
  control: {
    entry: marksBeforeSending,
    wrong: 'marks deliveries as done before they are sent',
    finds: /endpoint: lost \d+ of/,
  },
  play: async ({ stage, entry, rounds, log }) => {
    const service = await stage.start({ dataDir: stage.copyTemplate(), entry, env: LOCAL_RECEIVERS })
    const merchant = await openMerchant(stage, service)
    const ledger = createLedger()
    const conduct = createConduct({ mayBreak: true })
    for (let round = 1; round <= rounds; round++) {
      const load = startVisitors({ ...service, ledger, conduct, visitors: 8 })
      await merchant.untilBusy()
      await service.killOutright()
      await load.stop()
      await service.start()
      await merchant.untilSent()
      log(`round ${round}: ${merchant.figures()}`)
    }
    return { findings: [...(await merchant.check()), ...(await service.check(ledger))], figures: merchant.figures() }
  },
}
