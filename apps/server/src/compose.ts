import { createAuth, type Passwords } from './accounts/auth.ts'
import { deriveSetupToken } from './accounts/first-account.ts'
import { openSignOn } from './accounts/open-sign-on.ts'
import { createSignUp } from './accounts/sign-ups.ts'
import { hasAccount } from './accounts/workspaces.ts'
import type { Clock, Recorder } from './clock.ts'
import type { Config } from './config/config.ts'
import { createBatchQueue, createUnbatchedQueue } from './database/batches.ts'
import type { Directory } from './database/connect.ts'
import { groupCommit, withRetry } from './database/group-commit.ts'
import { registerGauges, registerInstanceGauges } from './database/monitoring/register-gauges.ts'
import { listenForNotifications } from './database/notifications.ts'
import { openDatabases, type Places } from './database/open-databases.ts'
import type { openPools } from './database/pools.ts'
import { openReports } from './database/reports.ts'
import { guardSchema } from './database/schema/schema-guard.ts'
import { SCHEMA_CHANGING } from './database/schema/schema-lock.ts'
import { type DatabaseOf, queuePerDatabase, type Shards } from './database/shards.ts'
import type { DirectoryTx } from './database/transaction.ts'
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
import { cacheLinkNames } from './partners/link-names.ts'
import { type Received, receiveEvents } from './processor/receive-event.ts'
import { KEY_REVOKED } from './programs/api-keys.ts'
import { deriveKey, type Secrets } from './secrets.ts'
import { openTraces, type Traces } from './traces.ts'
import type { ClickRow } from './tracking/clicks/click-statement.ts'
import type { ClickWriter } from './tracking/clicks/record-click.ts'
import { routeClicks } from './tracking/clicks/route-clicks.ts'
import { writeClicks } from './tracking/clicks/write-clicks.ts'
import { recordLeads } from './tracking/leads/record-lead.ts'
import { recordRefunds } from './tracking/sales/record-refund.ts'
import { recordSales } from './tracking/sales/record-sale.ts'
import { createClientIp } from './visitors/client-ip.ts'
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
  /** For tests: shards in other databases than the directory. */
  places?: Places
}

/** Builds everything the routes depend on, on a prepared database. */
export const compose = async (options: ComposeOptions) => {
  const { config, secrets, databaseUrl, clock, worker = SINGLE_PROCESS } = options
  const { callsPerMinute, passwords, places } = options
  const locations = await openLocations(config.geoipDatabase)
  const log = createLog(config.logLevel, { node: config.node, worker: worker.number })
  const mailer = config.mail && createMailer(config.mail, { log })
  const metrics = createMetrics()
  const traces = openTraces(config, log)
  const limits = rateLimits({ clock, enabled: config.rateLimits, workers: config.workers, callsPerMinute })
  const schema = guardSchema()
  const poolOptions = { workers: config.workers, readUrl: config.databaseReadUrl, onMismatch: schema.found }
  const databases = await openCheckedDatabases(databaseUrl, { ...poolOptions, places })
  const { db: directory, moneyDb: moneyDirectory, replicaDb } = databases.directory
  const [shards, moneyShards] = [databases.shardsOn('db'), databases.shardsOn('moneyDb')]
  const clicks = openClickQueues(databases, { firstSlot: worker.firstSlot, onBatch: metrics.clickBatch })
  const batches = openBatches(databases, { clock, hashKey: secrets.hashKey })
  const keys = cacheKeyedPrograms({ directory: moneyDirectory, shards: moneyShards, clock })
  const webhookSettings = readWebhookSettings({ config, secrets })
  const deliveries = databases.shardsOn('deliveryDb').all
  const webhooks = startWebhooks({ databases: deliveries, clock, log, metrics, ...webhookSettings })
  const handlers = { [KEY_REVOKED]: keys.forget, [SCHEMA_CHANGING]: schema.announced, [DELIVERIES_DUE]: webhooks.wake }
  const listening = { handlers, onReconnect: keys.forgetAll, onMigrations: schema.compare }
  const listeners = databases.urls.map((url) => listenForNotifications(url, listening))
  const { dataDir, backup } = config
  registerInstanceGauges(metrics, { directory, shards: shards.all, dataDir, archiveDir: backup.archiveDir, clock })
  registerGauges(metrics, { clicks, ...batches, pools: databases.pools })

  const dependencies: Dependencies = {
    ...openFeeds({ shards, clock, log }),
    reports: openReports({ replicaOf: (db) => (db === directory ? replicaDb : null), clock }),
    keptAnswers: createKeptAnswers({ clock }),
    directory,
    shards,
    moneyShards,
    clock,
    clicks,
    batches,
    visitors: createVisitors({ locations, visitorHash: keyedVisitorHash(secrets.hashKey), clock }),
    clientIp: createClientIp(config.trustedProxies),
    ...createAccountServices(directory, { config, secrets, mailer, log, passwords }),
    keyedPrograms: keys.find,
    limits,
    mailer,
    log,
    metrics: { ...withTraces(metrics, traces), text: worker.aggregateMetrics ?? metrics.text },
    hashKey: secrets.hashKey,
    processor: processorSettings(databases, { config, secrets }),
    webhooks: webhookSettings,
    baseUrl: config.baseUrl,
    portalUrl: config.portalUrl,
    unsubscribeKey: deriveKey(secrets, UNSUBSCRIBE_LINKS),
    openSignup: config.openSignup,
    checkAnswers: config.checkAnswers,
    setupToken: deriveSetupToken(secrets),
  }
  for (const { ready } of listeners) await ready
  return {
    dependencies,
    limits,
    metrics,
    mustStop: schema.mustStop,
    /** Drains the queues, then closes the connections. */
    close: async () => {
      await Promise.all([webhooks.stop(), ...[clicks, ...Object.values(batches)].map((queue) => queue.drain())])
      await Promise.all([databases.end(), ...listeners.map(({ stop }) => stop())])
      await traces?.stop()
      flushLimited(log)
    },
  }
}

type Databases = ReturnType<typeof openDatabases>
type DatabaseOptions = Omit<Parameters<typeof openPools>[1], 'clickWriters'> & { places: Places | undefined }

const openCheckedDatabases = async (databaseUrl: string, { places, ...options }: DatabaseOptions) => {
  const databases = openDatabases(databaseUrl, { ...options, clickWriters: CLICK_WRITERS }, places)
  await databases.check().catch(async (error) => {
    await databases.end()
    throw error
  })
  return databases
}

type ClickQueueOptions = { firstSlot: number; onBatch: (size: number) => void }

const openClickQueues = (databases: Databases, { firstSlot, onBatch }: ClickQueueOptions): ClickWriter =>
  routeClicks({
    shards: databases.shardsOn('db'),
    programOf: cacheLinkNames(databases.directory.db),
    open: (db) => {
      const { clicks } = databases.shards.find((pools) => pools.db === db) ?? databases.directory
      return groupCommit({
        write: withRetry((rows: ClickRow[], writer) => writeClicks(clicks, rows, firstSlot + writer)),
        writers: CLICK_WRITERS,
        maxBatch: MAX_BATCH,
        maxWaiting: MAX_WAITING,
        maxDelayMs: MAX_CLICK_DELAY_MS,
        timeoutMs: CLICK_TIMEOUT_MS,
        onBatch,
      })
    },
  })

/** Queues for the calls that know their program. */
export const openMoneyBatches = (databaseOf: DatabaseOf, context: Recorder) => {
  const ofProgram = { databaseOf, programIdOf: ({ call }: { call: { program: { id: number } } }) => call.program.id }
  return {
    leads: queuePerDatabase({ ...ofProgram, open: (db) => createBatchQueue(db, recordLeads(context)) }),
    sales: queuePerDatabase({ ...ofProgram, open: (db) => createBatchQueue(db, recordSales(context)) }),
    refunds: queuePerDatabase({
      databaseOf,
      programIdOf: ({ call }: { call: { programId: number } }) => call.programId,
      // Each refund debits a balance under its own locks; batched refunds would deadlock with sales over accounts.
      open: (db) => createUnbatchedQueue(db, recordRefunds(context)),
    }),
  }
}

/** One queue for each kind of call that concerns money. */
const openBatches = (databases: Databases, context: Recorder) => ({
  ...openMoneyBatches(databases.shardsOn('moneyDb').ofProgram, context),
  events: queuePerDatabase({
    databaseOf: databases.shardsOn('processorDb').ofProgram,
    programIdOf: ({ source }: Received) => source.home.id,
    open: (db) => createBatchQueue(db, receiveEvents(context)),
  }),
})

type FeedSources = Pick<Dependencies, 'clock' | 'log'> & { shards: Shards }

const openFeeds = ({ shards: { ofProgram: databaseOf }, clock, log }: FeedSources) => {
  const warn = (message: string) => (error: Error) => log.warn({ error: error.message }, message)
  return {
    liveEvents: createLiveEvents({ databaseOf, clock, onError: warn('could not poll for new events') }),
    eventFeed: createEventFeed({ databaseOf, fanOut: FAN_OUT, onError: warn('could not sequence events') }),
  }
}

type AccountServiceOptions = Pick<ComposeOptions, 'config' | 'secrets' | 'passwords'> &
  Pick<Dependencies, 'mailer' | 'log'>

const createAccountServices = (db: Directory, { config, secrets, mailer, log, passwords }: AccountServiceOptions) => {
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
    authIn: (tx: DirectoryTx) => createAuth({ ...options, db: tx, onError }),
    signUp: createSignUp(db, options),
    signOn: config.oidc && openSignOn(config.oidc, { ...options, db, onError, log }),
  }
}

type Settings = Pick<ComposeOptions, 'config' | 'secrets'>

const processorSettings = (databases: Databases, { config, secrets }: Settings) => ({
  directory: databases.directory.processorDb,
  shards: databases.shardsOn('processorDb'),
  stripe: config.stripe,
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
