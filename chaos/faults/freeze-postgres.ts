import { createConduct } from '../conduct.ts'
import { waitsForever } from '../controls/entries.ts'
import type { Fault } from '../fault.ts'
import type { Instance } from '../instance/instance.ts'
import { createLedger } from '../ledger.ts'
import { startVisitors } from '../traffic/visitors.ts'

const ANSWERED_WITHIN_MS = 3_000
/** A test cannot promise milliseconds on a busy machine, but it can check that no call waited for the thaw. */
const SHORT_FREEZE_MS = 8_000
const LONG_FREEZE_MS = 30_000

/** A database that neither works nor fails: no error and no response. */
export const freezePostgres: Fault = {
  name: 'freeze-postgres',
  promise:
    'Postgres frozen for 30 s: every call is answered within 3 s, by 503, and everything recovers after the thaw',
  rounds: { long: 1, short: 1 },
  control: { entry: waitsForever, wrong: 'has no timeout for the database', finds: /waited for the thaw/ },
  play: async ({ stage, entry, isLong, log }) => {
    const service = await stage.start({ dataDir: stage.copyTemplate(), entry })
    const ledger = createLedger()
    const before = createConduct()
    const warm = startVisitors({ ...service, ledger, conduct: before, visitors: 16 })
    await warm.untilAcknowledged(50)
    await warm.stop()
    const during = createConduct()
    const findings = await freezeUnder(service, isLong ? LONG_FREEZE_MS : SHORT_FREEZE_MS, () => {
      const load = startVisitors({ ...service, ledger, conduct: during, visitors: 16, timeoutMs: 60_000 })
      return load.stop
    })
    log(`frozen: answers ${during.statuses()}, the slowest after ${during.slowestMs()} ms`)
    if (isLong && during.slowestMs() > ANSWERED_WITHIN_MS)
      findings.push(`a call was answered after ${during.slowestMs()} ms`)
    await service.untilReady()
    const after = createConduct()
    const again = startVisitors({ ...service, ledger, conduct: after, visitors: 16, retries: true })
    await again.untilAcknowledged(50)
    await again.stop()
    findings.push(...(await service.check(ledger)))
    return {
      findings: [...findings, ...[before, during, after].flatMap((conduct) => conduct.findings())],
      figures: `frozen: ${during.statuses()}, slowest ${during.slowestMs()} ms; ${ledger.count('acknowledged')} acknowledged in all`,
    }
  },
}

/**
 * The load starts with the freeze and stops sending well before its end: a call that is unanswered then waits for the
 * thaw.
 */
const freezeUnder = async (service: Instance, freezeMs: number, load: () => () => Promise<void>) => {
  const { server, backends } = service.postgres()
  const pids = [server, ...backends]
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, name)
      } catch {
        // The backend has ended: the service gave up on it.
      }
    }
  }
  const findings: string[] = []
  signal('SIGSTOP')
  try {
    let answered = false
    const stopSending = load()
    await Bun.sleep(freezeMs - 5_000)
    const stopped = stopSending().then(() => {
      answered = true
    })
    await Promise.race([stopped, Bun.sleep(5_000)])
    if (!answered) findings.push('calls sent during the freeze waited for the thaw')
    signal('SIGCONT')
    await stopped
  } finally {
    signal('SIGCONT')
  }
  return findings
}
