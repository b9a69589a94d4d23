import type pg from 'pg'
import { createAdmissions } from './accounts/admissions.ts'
import { createAuth } from './accounts/auth.ts'
import { announcement } from './announcement.ts'
import { buildApp } from './app.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { APP_ROLE, openDatabase, openPool } from './database/connect.ts'
import { groupCommit } from './database/group-commit.ts'
import { migrate } from './database/migrate.ts'
import { ensurePartitions } from './database/partitions.ts'
import { refuseNewerDatabase, refuseUnsafeDatabase } from './database/refuse-unsafe.ts'
import { whileStarting } from './database/while-starting.ts'
import { seedDemo } from './demo/seed-demo.ts'
import { createLiveEvents } from './events/live-events.ts'
import { rollUpAll } from './events/roll-up-all.ts'
import { rememberingKeyedPrograms } from './http/keyed/keyed-programs.ts'
import { rateLimits } from './http/rate-limits.ts'
import { takePort } from './listen.ts'
import { createLog, type Log } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { sealAll } from './money/seal.ts'
import type { Secrets } from './secrets.ts'
import type { ClickWriter } from './tracking/record-click.ts'
import { type ClickRow, writeClicks } from './tracking/write-clicks.ts'
import { clientIpBehind } from './visitors/client-ip.ts'
import { openPlaces } from './visitors/places.ts'
import { visitorsOf } from './visitors/visitor.ts'
import { keyedVisitorHash } from './visitors/visitor-hash.ts'

const CLICK_WRITERS = 2
const MAX_BATCH = 512
const MAX_WAITING = 20_000
const POOL_SIZE = 16
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

type Options = { config: Config; secrets: Secrets; databaseUrl: string; clock?: Clock }

/** The whole service on a database that is there: port, schema, app. What main.ts runs and what the tests run. */
export const startService = async (options: Options) => {
  const { config, secrets, databaseUrl, clock = systemClock } = options
  const places = await openPlaces(config.geoipDatabase)
  const port = takePort(config)
  try {
    await whileStarting(databaseUrl, async (db) => {
      await refuseUnsafeDatabase(db)
      await refuseNewerDatabase(db)
      await migrate(db)
      await ensurePartitions(db, { since: clock(), at: clock() })
      if (config.demo) await seedDemo(db, { clock, dataDir: config.dataDir, hashKey: secrets.hashKey })
      // What was written before the last stop, or by the demo just now, does not wait for the timer.
      await sealAll(db, clock())
    })
  } catch (error) {
    await port.stop()
    throw error
  }

  const log = createLog(config.logLevel)
  const metrics = createMetrics()
  const pool = openPool(databaseUrl, { max: POOL_SIZE, role: APP_ROLE })
  const clickPool = openPool(databaseUrl, { max: CLICK_WRITERS, name: 'tributary clicks', role: APP_ROLE })
  const db = openDatabase(pool)
  const clicks = groupCommit({
    write: (rows: ClickRow[], writer) => writeClicks(clickPool, rows, writer),
    writers: CLICK_WRITERS,
    maxBatch: MAX_BATCH,
    maxWaiting: MAX_WAITING,
    onBatch: metrics.clickBatch,
  })
  watch(metrics, { clicks, pools: [pool, clickPool] })

  const liveEvents = createLiveEvents({
    db,
    clock,
    onError: (error) => log.warn({ error: error.message }, 'new events not looked for'),
  })
  const admissions = createAdmissions()
  const app = buildApp({
    liveEvents,
    admissions,
    db,
    clock,
    clicks,
    visitors: visitorsOf({ places, visitorHash: keyedVisitorHash(secrets.hashKey), clock }),
    clientIp: clientIpBehind(config.trustedProxies),
    auth: createAuth({
      db,
      secret: secrets.sessionSecret,
      baseUrl: config.baseUrl,
      openSignup: config.openSignup,
      admissions,
      onError: (message, cause) => log.error({ message, err: cause }, 'accounts'),
    }),
    keyedPrograms: rememberingKeyedPrograms(db, clock),
    limits: rateLimits({ clock, enabled: config.rateLimits }),
    log,
    metrics,
    hashKey: secrets.hashKey,
    baseUrl: config.baseUrl,
    openSignup: config.openSignup,
  })
  port.serve(app)
  const timers = [
    // Making tables is the owner's business, not the application's.
    every(HOUR_MS, log, 'partitions not made yet', () =>
      whileStarting(databaseUrl, (owner) => ensurePartitions(owner, { since: clock(), at: clock() })),
    ),
    every(MINUTE_MS, log, 'ledger not sealed yet', () => sealAll(db, clock())),
    every(10 * MINUTE_MS, log, 'counts not rolled up yet', () => rollUpAll(db, clock)),
  ]

  // Port 0 is any free one, known only now.
  const baseUrl = config.baseUrl.replace(/:0$/, `:${port.port}`)
  return {
    url: `http://localhost:${port.port}`,
    announcement: await announcement({ db, baseUrl, dataDir: config.dataDir }),
    /** Stops taking requests, answers those it has, and lets go of the database. */
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      liveEvents.close()
      await port.stop()
      await clicks.drain()
      await Promise.all([pool.end(), clickPool.end()])
    },
  }
}

const watch = (metrics: Metrics, { clicks, pools }: { clicks: ClickWriter; pools: pg.Pool[] }) => {
  const sum = (read: (pool: pg.Pool) => number) => () => pools.reduce((total, pool) => total + read(pool), 0)
  metrics.gauge('click_queue_depth', 'Clicks that wait for a writer', clicks.waiting)
  metrics.gauge(
    'database_connections',
    'Open database connections',
    sum((pool) => pool.totalCount),
  )
  metrics.gauge(
    'database_connections_idle',
    'Database connections that nobody uses',
    sum((pool) => pool.idleCount),
  )
  metrics.gauge(
    'database_waiting',
    'Requests that wait for a database connection',
    sum((pool) => pool.waitingCount),
  )
  metrics.gauge('memory_bytes', 'Resident memory of this process', () => process.memoryUsage.rss())
}

/** Work that may fail in bad weather and is simply done the next time. */
const every = (milliseconds: number, log: Log, failure: string, work: () => Promise<unknown>) =>
  setInterval(() => {
    work().catch((error: Error) => log.warn({ error: error.message }, failure))
  }, milliseconds)
