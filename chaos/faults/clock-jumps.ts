import { join } from 'node:path'
import { createConduct } from '../conduct.ts'
import { countsByWallClock } from '../controls/entries.ts'
import type { Fault, Play } from '../fault.ts'
import { givenClock } from '../instance/given-clock.ts'
import type { Instance } from '../instance/instance.ts'
import { type Owner, ownerOf } from '../instance/owner.ts'
import { createLedger } from '../ledger.ts'
import { startVisitors } from '../traffic/visitors.ts'

const HOUR_MS = 3_600_000
const LONG = [1, 0, -1, 0, 48, 0, -48, 0, 48, 0]
const SHORT = [-1, 0, 48, 0]

/** Half an hour before a month ends: every jump ahead enters another month. */
const beforeMonthEnds = () => {
  const now = new Date()
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - HOUR_MS / 2 - now.getTime()
}

/** Attempts sign-ins until they are limited; after the jump, the limit must end within a minute of the new time. */
const lockOut = async (owner: Owner) => {
  for (let attempts = 0; attempts < 40; attempts++) if ((await owner.attemptSignIn()) === 429) return
  throw new Error('the sign-in limit was never reached')
}

const PAID_TWICE = `SELECT commission_id FROM payout_commissions JOIN payout_lines ON payout_lines.program_id = payout_commissions.program_id
  AND payout_lines.id = payout_line_id WHERE status <> 'failed' GROUP BY commission_id HAVING count(*) > 1`
const OUT_OF_MONTH = 'SELECT count(*)::int AS clicks FROM click_events_other'

const judgeBooks = async (service: Instance) => {
  const findings: string[] = []
  const twice = await service.query(PAID_TWICE)
  if (twice.length > 0) findings.push(`${twice.length} commissions are in two payouts`)
  const [other] = await service.query(OUT_OF_MONTH)
  if (other.clicks > 0) findings.push(`${other.clicks} clicks are outside the partition of their month`)
  return findings
}

/** Sets the machine's clock back and ahead while the service works. */
export const clockJumps: Fault = {
  name: 'clock-jumps',
  promise:
    'clock jumps of ± 1 h and ± 48 h across the end of a month: sessions, keys and limits keep working, attribution windows follow the server’s time, nothing is paid twice',
  rounds: { long: 1, short: 1 },
  control: { entry: countsByWallClock, wrong: 'counts attempts by a clock that may go back', finds: /locked out/ },
  play: async ({ stage, entry, isLong, log }: Play) => {
    const clock = givenClock(stage.folder, beforeMonthEnds())
    const service = await stage.start({
      dataDir: stage.copyTemplate(),
      entry,
      preload: join(import.meta.dir, '../instance/jumping-date.ts'),
      env: { CHAOS_CLOCK_FILE: clock.file, RATE_LIMITS: 'on' },
    })
    const owner = ownerOf(service)
    const ledger = createLedger()
    const conduct = createConduct()
    const findings: string[] = []
    await owner.signIn()
    let paidLines = 0
    for (const hours of isLong ? LONG : SHORT) {
      const clickId = await owner.click(ledger)
      await lockOut(owner)
      const before = clock.now()
      await clock.set(hours)
      const jumpedMs = clock.now().getTime() - before.getTime()
      const where = `after a jump of ${Math.round(jumpedMs / HOUR_MS)} h`
      if ((await owner.attemptSignIn()) === 429) findings.push(`${where}: a limited caller stays locked out`)
      if (!(await owner.isSignedIn())) findings.push(`${where}: the session has ended`)
      const expected = jumpedMs > 24 * HOUR_MS ? 'click_expired' : 200
      const lead = await owner.lead(clickId)
      if (lead !== expected) findings.push(`${where}: a lead was answered ${lead}, not ${expected}`)
      const load = startVisitors({ ...service, ledger, conduct, visitors: 4, now: clock.now, pauseMs: 50 })
      await load.untilAcknowledged(isLong ? 60 : 20)
      await load.stop()
      paidLines += await owner.payAll()
      log(`${where}: ${ledger.count('acknowledged')} acknowledged so far, ${paidLines} payout lines paid`)
    }
    if (paidLines === 0) findings.push('nothing was ever payable, so nothing could be paid twice')
    findings.push(...(await judgeBooks(service)), ...(await service.check(ledger)), ...conduct.findings())
    return { findings, figures: `${ledger.count('acknowledged')} acknowledged, ${paidLines} payout lines paid` }
  },
}
