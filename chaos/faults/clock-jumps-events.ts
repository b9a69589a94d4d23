import { join } from 'node:path'
import { createConduct } from '../conduct.ts'
import { sendsByWallClock } from '../controls/entries.ts'
import type { Fault } from '../fault.ts'
import { givenClock } from '../instance/given-clock.ts'
import { createLedger } from '../ledger.ts'
import { LOCAL_RECEIVERS, openMerchant } from '../merchant/merchant.ts'
import { startVisitors } from '../traffic/visitors.ts'

const LONG = [24, 0, -24, 0, 24, -24, 24, 0]
const SHORT = [24, -24, 0]

/** Sets the clock of the service back and ahead under load; that of Postgres and of the receivers stays right. */
export const clockJumpsEvents: Fault = {
  name: 'clock-jumps-events',
  promise:
    'the clock of the service jumps ± 24 h while events are written, numbered, sent and read: none is lost, doubled or out of order, and every webhook-timestamp is right',
  rounds: { long: 1, short: 1 },
  control: { entry: sendsByWallClock, wrong: 'signs and plans deliveries by its own clock', finds: /timestamp too/ },
  play: async ({ stage, entry, isLong, log }) => {
    const clock = givenClock(stage.folder)
    const service = await stage.start({
      dataDir: stage.copyTemplate(),
      entry,
      preload: join(import.meta.dir, '../instance/jumping-date.ts'),
      env: { ...LOCAL_RECEIVERS, CHAOS_CLOCK_FILE: clock.file },
    })
    const merchant = await openMerchant(stage, service)
    const ledger = createLedger()
    // A visitor whose click is suddenly a day old, or whose processor signs with the old time, is refused.
    const load = startVisitors({
      ...service,
      ledger,
      conduct: createConduct(),
      visitors: 6,
      now: clock.now,
      pauseMs: 50,
    })
    const jump = async () => {
      for (const hours of isLong ? LONG : SHORT) {
        await merchant.untilBusy()
        await clock.set(hours)
        log(`at ${hours} h: ${merchant.figures()}`)
      }
      await merchant.untilBusy()
    }
    // A service that plans by its own clock can stop sending altogether. The check below then lists what was not received.
    const stopped = await jump().then(
      () => [],
      ({ message }: Error) => [message],
    )
    await load.stop()
    const findings = [...stopped, ...(await merchant.check()), ...(await service.check(ledger))]
    return { findings, figures: merchant.figures() }
  },
}
