import { createConduct } from '../conduct.ts'
import { unboundedQueue } from '../controls/entries.ts'
import type { Fault, Play } from '../fault.ts'
import { startOnExternalPostgres } from '../instance/external-postgres.ts'
import { createLedger } from '../ledger.ts'
import { startSlowProxy } from '../proxy/start-slow-proxy.ts'
import { clickFor, floodFor } from '../traffic/flood.ts'
import { startVisitors } from '../traffic/visitors.ts'

/**
 * The connection to the database limits the service here, so that the limit is the same on every machine and the load,
 * which shares the CPU with the service, does not measure itself.
 */
const CLICK_BYTES_PER_SECOND = 50_000
const TIMES = 3
const TIMEOUT_MS = 3_000
const CALLERS_AT_PEAK = 96
const LONG = { peakMs: 10_000, floodMs: 30_000, goodput: 0.9, success: 0.999 }
/** On a busy machine a test can check that clicks and money still get through, not how many. */
const SHORT = { peakMs: 4_000, floodMs: 7_000, goodput: 0.4, success: 0.9 }

/** Three times as many clicks as can be written, with money calls next to them. */
export const overload: Fault = {
  name: 'overload',
  promise: `3× as many clicks as fit: goodput ≥ 90 % of the peak, ≥ 99.9 % of leads, sales and webhooks succeed, else 503 with Retry-After`,
  rounds: { long: 1, short: 1 },
  control: {
    entry: unboundedQueue,
    wrong: 'accepts every click, however long the queue',
    finds: /click: no answer|goodput/,
  },
  play: async ({ stage, entry, isLong, log }: Play) => {
    const size = isLong ? LONG : SHORT
    const service = await startOnExternalPostgres(stage, {
      entry,
      between: (socketFolder) => startSlowProxy(socketFolder, CLICK_BYTES_PER_SECOND),
    })
    const ledger = createLedger()
    const peak = createConduct()
    const options = { ...service, ledger, timeoutMs: TIMEOUT_MS }
    await clickFor({ ...options, conduct: peak }, { callers: CALLERS_AT_PEAK, milliseconds: size.peakMs })
    const peakRate = (peak.count(200) * 1000) / size.peakMs
    log(`peak: ${Math.round(peakRate)} clicks/s`)
    // Customers who pay during the flood clicked before it.
    const clicked = ledger.entries('click').flatMap(({ clickId }) => clickId ?? [])
    const money = createConduct()
    const flood = createConduct()
    const load = startVisitors({ ...service, ledger, conduct: money, visitors: 8, clicked, timeoutMs: TIMEOUT_MS })
    const { sent, acknowledged } = await floodFor(
      { ...options, conduct: flood },
      { perSecond: peakRate * TIMES, milliseconds: size.floodMs },
    )
    await load.stop()
    const goodput = (acknowledged * 1000) / size.floodMs / peakRate
    const success = money.count(200) / money.total()
    const offered = (sent * 1000) / size.floodMs / peakRate
    const findings = [...peak.findings(), ...flood.findings(), ...money.findings(), ...(await service.check(ledger))]
    if (!(goodput >= size.goodput)) findings.push(`goodput ${percent(goodput)} of the peak`)
    if (!(success >= size.success))
      findings.push(`${percent(success)} of the money calls succeeded (${money.statuses()})`)
    if (isLong && offered < TIMES * 0.9)
      findings.push(`only ${offered.toFixed(1)}× the peak could be sent: not an overload of ${TIMES}×`)
    const figures = `peak ${Math.round(peakRate)}/s, offered ${offered.toFixed(1)}×, goodput ${percent(goodput)}, money ${percent(success)} of ${money.total()}; clicks: ${flood.statuses()}`
    return { findings, figures }
  },
}

const percent = (share: number) => `${(share * 100).toFixed(1)}%`
