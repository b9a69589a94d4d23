import type pg from 'pg'
import { createAuth, type Passwords } from './accounts/auth.ts'
import { deriveSetupToken } from './accounts/first-account.ts'
import { openSignOn } from './accounts/open-sign-on.ts'
import { createSignUp } from './accounts/sign-ups.ts'
import { hasAccount } from './accounts/workspaces.ts'
import type { Clock, Recorder } from './clock.ts'
import type { Config } from './config/config.ts'
import { createBatchQueue, createUnbatchedQueue } from './database/batches.ts'
import type { Database } from './database/connect.ts'
import { groupCommit, withRetry } from './database/group-commit.ts'
import { registerGauges, registerInstanceGauges } from './database/monitoring/register-gauges.ts'
import { listenForNotifications } from './database/notifications.ts'
import { openPools } from './database/pools.ts'
import { openReports } from './database/reports.ts'
import { guardSchema } from './database/schema/schema-guard.ts'
import { SCHEMA_CHANGING } from './database/schema/schema-lock.ts'
import type { Tx } from './database/transaction.ts'
import { createLiveEvents } from './events/live-events.ts'
import { createKeptAnswers } from './events/overview/kept-answers.ts'
import type { Dependencies } from './http/context.ts'
import { cacheKeyedPrograms } from './http/keyed/keyed-programs.ts'
import { type CallsPerMinute, rateLimits } from './http/rate-limits.ts'
import { createLog, flushLimited } from './log.ts'
import { passwordReset, signInLink } from './mail/emails.ts'
import { createMailer } from './mail/mailer.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { UNSUBSCRIBE_LINKS } from './notifications/unsubscribe-links.ts'
import { createEventFeed } from './outbox/feed.ts'
import { receiveEvents } from './processor/receive-event.ts'
import { KEY_REVOKED } from './programs/api-keys.ts'
import type { Program } from './programs/programs.ts'
import { deriveKey, type Secrets } from './secrets.ts'
import { openTraces, type Traces } from './traces.ts'
import { clickIdPrefix } from './tracking/clicks/click-ids.ts'
import { type ClickRow, writeClicks } from './tracking/clicks/write-clicks.ts'
import { recordLeads } from './tracking/leads/record-lead.ts'
import { createVisits } from './tracking/leads/visits.ts'
import { syncPayment } from './tracking/payments/sync-payments.ts'
import { recordRefunds } from './tracking/sales/record-refund.ts'
import { recordSales } from './tracking/sales/record-sale.ts'
import { createClientIp } from './visitors/client-ip.ts'
import { openDataCenters } from './visitors/data-centers.ts'
import { openLocations } from './visitors/locations.ts'
import { createVisitors } from './visitors/visitor.ts'
import { keyedVisitorHash } from './visitors/visitor-hash.ts'
import { DELIVERIES_DUE } from './webhooks/announce-due.ts'
import { FAN_OUT } from './webhooks/fan-out.ts'
import { addressRules } from './webhooks/sending/public-addresses.ts'
import { startWebhooks } from './webhooks/start-webhooks.ts'

export const CLICK_WRITERS = 2
const MAX_BATCH = 512
const MAX_WAITING = 20_000
/** A click that would wait longer is refused immediately, so the clicks already queued are still answered in time. */
const MAX_CLICK_DELAY_MS = 1_000
const CLICK_TIMEOUT_MS = 2_900

/** What differs between the processes of one instance. */
export type WorkerContext = {
  number: number
  /** The `daily_counts` slot of this process's first click writer. */
  firstSlot: number
  /** Metrics of all processes combined; absent in a single-process instance. */
  aggregateMetrics?: () => Promise<string>
}
const SINGLE_PROCESS: WorkerContext = { number: 0, firstSlot: 0 }

export type ComposeOptions = {
  config: Config
  secrets: Secrets
  databaseUrl: string
  clock: Clock
  worker?: WorkerContext
  /** For tests: overrides the contract's limits. */
  callsPerMinute?: Partial<CallsPerMinute>
  /** For tests: a fast password hash. */
  passwords?: Passwords
  /** For tests, which must not fail because the machine is busy. */
  connectionWaitMs?: number
}

/** Builds everything the routes depend on, on a prepared database. */
export const compose = async (options: ComposeOptions) => {
  const { config, secrets, databaseUrl, clock, worker = SINGLE_PROCESS } = options
  const { callsPerMinute, passwords, connectionWaitMs } = options
  const visitors = await openVisitors(config, { hashKey: secrets.hashKey, clock })
  const log = createLog(config.logLevel, { node: config.node, worker: worker.number })
  const mailer = config.mail && createMailer(config.mail, { log })
  const metrics = createMetrics()
  const traces = openTraces(config, log)
  const limits = rateLimits({ clock, enabled: config.rateLimits, workers: config.workers, callsPerMinute })
  const schema = guardSchema()
  const { workers, databaseReadUrl: readUrl } = config
  const pools = await openCheckedPools(databaseUrl, { workers, readUrl, connectionWaitMs, onMismatch: schema.found })
  const { db, moneyDb, processorDb, deliveryDb, replicaDb } = pools
  const prefix = clickIdPrefix(config.cell)
  const clicks = openClickQueue(pools.clicks, { firstSlot: worker.firstSlot, prefix, onBatch: metrics.clickBatch })
  const batches = openBatches({ moneyDb, processorDb }, { clock, hashKey: secrets.hashKey, cell: config.cell })
  const keys = cacheKeyedPrograms({ db: moneyDb, clock })
  const webhookSettings = readWebhookSettings({ config, secrets })
  const webhooks = startWebhooks({ db: deliveryDb, clock, log, metrics, ...webhookSettings })
  const handlers = { [KEY_REVOKED]: keys.forget, [SCHEMA_CHANGING]: schema.announced, [DELIVERIES_DUE]: webhooks.wake }
  const listening = { handlers, onReconnect: keys.forgetAll, onMigrations: schema.compare }
  const listener = listenForNotifications(databaseUrl, listening)
  const { dataDir, backup } = config
  registerInstanceGauges(metrics, { db, dataDir, archiveDir: backup.archiveDir, clock })
  registerGauges(metrics, { clicks, ...batches, pools: Object.values(pools.all) })

  const dependencies: Dependencies = {
    ...openFeeds({ db, clock, log }),
    reports: openReports({ replica: replicaDb, clock }),
    keptAnswers: createKeptAnswers({ clock }),
    db,
    moneyDb,
    clock,
    clicks,
    batches,
    visitors,
    visits: createVisits({ db, clock, hashKey: secrets.hashKey, visitors, log }),
    clientIp: createClientIp(config.trustedProxies),
    ...createAccountServices(db, { config, secrets, mailer, log, passwords }),
    keyedPrograms: keys.find,
    limits,
    mailer,
    log,
    metrics: { ...withTraces(metrics, traces), text: worker.aggregateMetrics ?? metrics.text },
    hashKey: secrets.hashKey,
    cell: config.cell,
    processor: processorSettings(processorDb, { config, secrets }),
    webhooks: webhookSettings,
    baseUrl: config.baseUrl,
    portalUrl: config.portalUrl,
    unsubscribeKey: deriveKey(secrets, UNSUBSCRIBE_LINKS),
    openSignup: config.openSignup,
    checkAnswers: config.checkAnswers,
    setupToken: deriveSetupToken(secrets),
  }
  await listener.ready
  return {
    dependencies,
    limits,
    metrics,
    mustStop: schema.mustStop,
    /** Drains the queues, then closes the connections. */
    close: async () => {
      await Promise.all([webhooks.stop(), ...[clicks, ...Object.values(batches)].map((queue) => queue.drain())])
      await Promise.all([pools.end(), listener.stop()])
      await traces?.stop()
      flushLimited(log)
    },
  }
}

const openVisitors = async ({ geoipDatabase, asnDatabase }: Config, { hashKey, clock }: Recorder) => {
  const locations = await openLocations(geoipDatabase)
  const isDataCenter = await openDataCenters(asnDatabase)
  return createVisitors({ locations, isDataCenter, visitorHash: keyedVisitorHash(hashKey), clock })
}

type PoolOptions = Omit<Parameters<typeof openPools>[1], 'clickWriters'>

const openCheckedPools = async (databaseUrl: string, options: PoolOptions) => {
  const pools = openPools(databaseUrl, { ...options, clickWriters: CLICK_WRITERS })
  await pools.check().catch(async (error) => {
    await pools.end()
    throw error
  })
  return pools
}

type ClickQueueOptions = { firstSlot: number; prefix: string; onBatch: (size: number) => void }

const openClickQueue = (clicks: pg.Pool, { firstSlot, prefix, onBatch }: ClickQueueOptions) =>
  groupCommit({
    write: withRetry((rows: ClickRow[], writer) => writeClicks(clicks, rows, firstSlot + writer, prefix)),
    writers: CLICK_WRITERS,
    maxBatch: MAX_BATCH,
    maxWaiting: MAX_WAITING,
    maxDelayMs: MAX_CLICK_DELAY_MS,
    timeoutMs: CLICK_TIMEOUT_MS,
    onBatch,
  })

type BatchPools = { moneyDb: Database; processorDb: Database }

const merchantOf = ({ program }: { program: Program }) => program.workspaceId

/** One queue for each kind of call that concerns money. */
const openBatches = ({ moneyDb, processorDb }: BatchPools, context: Recorder) => ({
  leads: createBatchQueue(moneyDb, recordLeads(context), merchantOf),
  sales: createBatchQueue(moneyDb, recordSales(context, syncPayment), merchantOf),
  // Each refund debits a balance under its own locks; batched refunds would deadlock with sales over accounts.
  refunds: createUnbatchedQueue(moneyDb, recordRefunds(context), ({ workspaceId }) => workspaceId),
  events: createBatchQueue(processorDb, receiveEvents(context), ({ source }) => source.inboxProgram.workspaceId, {
    // A payment's events arrive together.
    hasSharedLocks: true,
  }),
})

const openFeeds = ({ db, clock, log }: Pick<Dependencies, 'db' | 'clock' | 'log'>) => {
  const warn = (message: string) => (error: Error) => log.warn({ error: error.message }, message)
  return {
    liveEvents: createLiveEvents({ db, clock, onError: warn('could not poll for new events') }),
    eventFeed: createEventFeed({ db, fanOut: FAN_OUT, onError: warn('could not sequence events') }),
  }
}

type AccountServiceOptions = Pick<ComposeOptions, 'config' | 'secrets' | 'passwords'> &
  Pick<Dependencies, 'mailer' | 'log'>

const createAccountServices = (db: Database, { config, secrets, mailer, log, passwords }: AccountServiceOptions) => {
  const { baseUrl, openSignup } = config
  const options = { secret: secrets.sessionSecret, baseUrl, openSignup, passwords }
  const onError = (message: string, cause: unknown) => log.error({ message, err: cause }, 'accounts')
  const sendReset =
    mailer &&
    (({ email, token }: { email: string; token: string }) =>
      void mailer.send(email, passwordReset({ url: `${baseUrl}/reset-password?token=${token}` })))
  const sendLink =
    mailer &&
    (({ email, token }: { email: string; token: string }) => {
      const url = `${baseUrl}/sign-in/link?token=${token}`
      void hasAccount(db, email).then(
        (exists) => exists && mailer.send(email, signInLink({ url })),
        (cause) => onError('could not look up an account', cause),
      )
    })
  const mails = { sendReset: sendReset ?? undefined, sendLink: sendLink ?? undefined }
  return {
    auth: createAuth({ ...options, db, onError, ...mails }),
    authIn: (tx: Tx) => createAuth({ ...options, db: tx, onError }),
    signUp: createSignUp(db, options),
    signOn: config.oidc && openSignOn(config.oidc, { ...options, db, onError, log }),
  }
}

type Settings = Pick<ComposeOptions, 'config' | 'secrets'>

const processorSettings = (db: Database, { config, secrets }: Settings) => ({
  db,
  settings: config,
  sealKey: deriveKey(secrets, 'processor signing secrets'),
  stateKey: deriveKey(secrets, 'processor connect state'),
})

const readWebhookSettings = ({ config, secrets }: Settings) => ({
  sealKey: deriveKey(secrets, 'webhook signing secrets'),
  rules: addressRules(config.webhookAllowHosts),
})

const withTraces = (metrics: Metrics, traces: Traces | null): Metrics =>
  traces
    ? {
        ...metrics,
        request: (measure) => {
          metrics.request(measure)
          traces.request(measure)
        },
      }
    : metrics
