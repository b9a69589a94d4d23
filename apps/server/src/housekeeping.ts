import type { Clock } from './clock.ts'
import type { Config } from './config/config.ts'
import { purgeVisitors } from './customers/purge-visitors.ts'
import { APP_ROLE, type Database, openDatabase, openPool } from './database/connect.ts'
import { ensureUpcomingPartitions } from './database/schema/partitions.ts'
import { dropOldClicks, findOldestMonthToKeep } from './database/schema/retention.ts'
import { analyzeTables, findTablesToAnalyze } from './database/schema/table-statistics.ts'
import { asOwner } from './database/start/as-owner.ts'
import { purgeTestEvents } from './events/purge-test-events.ts'
import { rollUpAll } from './events/roll-up/catch-up.ts'
import { purgeIdempotencyKeys } from './idempotency/idempotency-keys.ts'
import { type Log, logHead } from './log.ts'
import { createMailer } from './mail/mailer.ts'
import { announcePayable } from './money/commissions/announce-payable.ts'
import { sealAll } from './money/ledger/seal.ts'
import { prepareDrafts } from './money/payouts/drafts.ts'
import { announceDraft } from './notifications/announce.ts'
import { runChecks } from './notifications/checks/run-checks.ts'
import { purgeNotifications } from './notifications/inbox.ts'
import { sendEmails } from './notifications/send-emails.ts'
import { UNSUBSCRIBE_LINKS } from './notifications/unsubscribe-links.ts'
import { purgeEvents } from './outbox/purge-events.ts'
import { startSequencer } from './outbox/sequencer.ts'
import { purgeVisits } from './partners/partner-visits.ts'
import { deriveKey, type Secrets } from './secrets.ts'
import { openTraces, type Traces } from './traces.ts'
import { applyTierRules } from './tracking/groups/apply-tier-rules.ts'
import { finishCodeBackfills } from './tracking/sales/apply-code-to-earlier.ts'
import { finishBackfills } from './tracking/sales/backfill-reward.ts'
import { findFirstPending, purgeDeliveries } from './webhooks/deliveries.ts'
import { FAN_OUT } from './webhooks/fan-out.ts'
import { readDatabaseTime } from './webhooks/time.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const ANALYZE_MS = 2_000
const SEND_MS = 10_000
const ANNOUNCE_MS = 15_000
/** A call waits two seconds for a connection. With one, a job that takes longer would make the others fail. */
const CONNECTIONS = 3
/** Used without RETENTION_DAYS: 400 days, longer than the longest attribution window. */
const VISITOR_RETENTION_MS = 400 * 24 * HOUR_MS

type Options = {
  databaseUrl: string
  ownerUrl: string
  clock: Clock
  log: Log
  config: Pick<Config, 'retentionDays' | 'mail' | 'baseUrl' | 'portalUrl' | 'tracesEndpoint' | 'node' | 'cell'>
  secrets: Pick<Secrets, 'hashKey'>
}

/** Runs the recurring jobs of a database in one process of each node: the only one, or the parent of the workers. */
export const startHousekeeping = ({ databaseUrl, ownerUrl, clock, log, config, secrets }: Options) => {
  const { retentionDays: days } = config
  const { hashKey } = secrets
  const pool = openPool(databaseUrl, { max: CONNECTIONS, name: 'tributary housekeeping', role: APP_ROLE })
  const db = openDatabase(pool)
  const maintain = (work: (owner: Database) => Promise<unknown>) => asOwner(ownerUrl, work, { schema: true })
  const jobs = { log, traces: openTraces(config, log) }
  let isStopping = false
  const mailer = config.mail && createMailer(config.mail, { log })
  const unsubscribeKey = deriveKey(secrets, UNSUBSCRIBE_LINKS)
  const sendWaiting = oneAtATime(() =>
    sendEmails({ ...config, db, clock, mailer, unsubscribeKey, isStopping: () => isStopping }),
  )
  const analyzeNew = oneAtATime(async () => {
    const tables = await findTablesToAnalyze(db)
    if (tables.length > 0) await maintain((owner) => analyzeTables(owner, tables))
  })
  const timers = [
    // Only the owner may create tables.
    runEvery(HOUR_MS, jobs, 'could not create partitions', () =>
      maintain((owner) => ensureUpcomingPartitions(owner, { at: clock() })),
    ),
    runEvery(HOUR_MS, jobs, 'could not drop old clicks', async () => {
      if (days !== null)
        await maintain(async (owner) => dropOldClicks(owner, { days, at: await readDatabaseTime(owner, clock) }))
    }),
    runEvery(HOUR_MS, jobs, 'could not purge old records', () => purgeOldRecords(db, { days, clock })),
    runEvery(ANALYZE_MS, jobs, 'could not analyze new tables', analyzeNew),
    runEvery(MINUTE_MS, jobs, 'could not seal the ledger', () => sealAll(db, clock(), logHead(log))),
    runEvery(ANNOUNCE_MS, jobs, 'could not announce payable commissions', () => announcePayable({ db, clock })),
    runEvery(MINUTE_MS, jobs, 'could not backfill rewards', () => finishBackfills({ db, clock, hashKey })),
    runEvery(MINUTE_MS, jobs, 'could not credit earlier payments', () =>
      finishCodeBackfills({ db, clock, hashKey, cell: config.cell }),
    ),
    runEvery(5 * MINUTE_MS, jobs, 'could not apply tier rules', () => applyTierRules({ db, clock })),
    runEvery(MINUTE_MS, jobs, 'could not prepare payout drafts', () =>
      prepareDrafts(db, { at: clock(), announce: (tx, draft) => announceDraft(tx, { ...draft, at: clock() }) }),
    ),
    runEvery(5 * MINUTE_MS, jobs, 'could not check for notifications', () => runChecks({ db, clock })),
    runEvery(SEND_MS, jobs, 'could not send notifications', sendWaiting),
    runEvery(10 * MINUTE_MS, jobs, 'could not roll up counts', () => rollUpAll(db, clock)),
  ]
  const sequencer = startSequencer({
    db,
    fanOut: FAN_OUT,
    onError: (error) => log.warn({ error: error.message }, 'could not sequence events'),
  })
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      isStopping = true
      await sequencer.stop()
      await Promise.all([sendWaiting.settled(), analyzeNew.settled()])
      await pool.end()
      await jobs.traces?.stop()
    },
  }
}

/** Purges what can be created without a key and what never became a lead. A visitor's clicks are dropped first. */
export const purgeOldRecords = async (db: Database, { days, clock }: { days: number | null; clock: Clock }) => {
  const at = await readDatabaseTime(db, clock)
  await purgeIdempotencyKeys(db, at)
  await purgeTestEvents(db, at)
  await purgeNotifications(db, at)
  await purgeEvents(db, { at, findFirstNeeded: findFirstPending })
  await purgeDeliveries(db, at)
  const before =
    days === null ? new Date(at.getTime() - VISITOR_RETENTION_MS) : await findOldestMonthToKeep(db, { days, at })
  await purgeVisitors(db, { before })
  await purgeVisits(db, before)
}

/** A run that takes longer than its interval, such as one with a slow mail server, is not started again meanwhile. */
const oneAtATime = (work: () => Promise<unknown>) => {
  let running: Promise<unknown> | null = null
  const run = () => {
    running ??= work().finally(() => {
      running = null
    })
    return running
  }
  return Object.assign(run, { settled: async () => running?.catch(() => {}) })
}

/** A run that fails with a transient error is retried at the next interval. */
const runEvery = (milliseconds: number, { log, traces }: Jobs, failure: string, work: () => Promise<unknown>) => {
  const run = oneAtATime(traces ? () => trace(traces, failure.replace(/^could not /, ''), work) : work)
  return setInterval(() => {
    run().catch((error: Error) => log.warn({ error: error.message }, failure))
  }, milliseconds)
}
type Jobs = { log: Log; traces: Traces | null }

const trace = async (traces: Traces, name: string, work: () => Promise<unknown>) => {
  const started = performance.now()
  let isError = true
  try {
    await work()
    isError = false
  } finally {
    traces.job(name, { milliseconds: performance.now() - started, isError })
  }
}
