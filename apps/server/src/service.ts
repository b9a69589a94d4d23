import { createAuth } from './accounts/auth.ts'
import { announcement } from './announcement.ts'
import { buildApp } from './app.ts'
import { type Clock, systemClock } from './clock.ts'
import { type Config, StartupError } from './config.ts'
import { isBadWeather } from './database/bad-weather.ts'
import { type Database, openDatabase, openPool } from './database/connect.ts'
import { groupCommit } from './database/group-commit.ts'
import { migrate } from './database/migrate.ts'
import { ensurePartitions } from './database/partitions.ts'
import { refuseNewerDatabase, refuseUnsafeDatabase } from './database/refuse-unsafe.ts'
import { seedDemo } from './demo/seed-demo.ts'
import { rememberingKeyedPrograms } from './http/keyed/keyed-programs.ts'
import { rateLimits } from './http/rate-limits.ts'
import { createLog, type Log } from './log.ts'
import { createMetrics } from './metrics.ts'
import type { Secrets } from './secrets.ts'
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

type Options = { config: Config; secrets: Secrets; databaseUrl: string; clock?: Clock }

/** The whole service on a database that is there: schema, app, port. What main.ts runs and what the tests run. */
export const startService = async ({ config, secrets, databaseUrl, clock = systemClock }: Options) => {
  const log = createLog(config.logLevel)
  await prepareDatabase({ config, secrets, databaseUrl, clock })

  const pool = openPool(databaseUrl, { max: POOL_SIZE })
  const clickPool = openPool(databaseUrl, { max: CLICK_WRITERS, name: 'tributary clicks' })
  const db = openDatabase(pool)
  const metrics = createMetrics()
  const clicks = groupCommit({
    write: (rows: ClickRow[], writer) => writeClicks(clickPool, rows, writer),
    writers: CLICK_WRITERS,
    maxBatch: MAX_BATCH,
    maxWaiting: MAX_WAITING,
    onBatch: metrics.clickBatch,
  })
  metrics.gauge('click_queue_depth', 'Clicks that wait for a writer', clicks.waiting)
  metrics.gauge('database_connections', 'Open database connections', () => pool.totalCount + clickPool.totalCount)
  metrics.gauge(
    'database_connections_idle',
    'Database connections that nobody uses',
    () => pool.idleCount + clickPool.idleCount,
  )
  metrics.gauge('database_waiting', 'Requests that wait for a database connection', () => pool.waitingCount)
  metrics.gauge('memory_bytes', 'Resident memory of this process', () => process.memoryUsage.rss())

  const app = buildApp({
    db,
    pool,
    clock,
    clicks,
    visitors: visitorsOf({
      places: await openPlaces(config.geoipDatabase),
      visitorHash: keyedVisitorHash(secrets.hashKey),
      clock,
    }),
    clientIp: clientIpBehind(config.trustedProxies),
    auth: createAuth({
      db,
      secret: secrets.sessionSecret,
      baseUrl: config.baseUrl,
      openSignup: config.openSignup,
      onError: (message, cause) => log.error({ message, err: cause }, 'accounts'),
    }),
    keyedPrograms: rememberingKeyedPrograms(db, clock),
    limits: rateLimits({ clock, enabled: config.rateLimits }),
    log,
    metrics,
    hashKey: secrets.hashKey,
    baseUrl: config.baseUrl,
  })

  const server = listen(app, config)
  const partitions = keepPartitionsAhead(db, clock, log)
  // Port 0 is any free one, known only now.
  const baseUrl = config.baseUrl.replace(/:0$/, `:${server.port}`)

  return {
    url: `http://localhost:${server.port}`,
    announcement: await announcement({ db, baseUrl, dataDir: config.dataDir }),
    /** Stops taking requests, answers those it has, and lets go of the database. */
    stop: async () => {
      clearInterval(partitions)
      await server.stop()
      await clicks.drain()
      await Promise.all([pool.end(), clickPool.end()])
    },
  }
}

/** Checks and migrates on a connection of its own: a migration may take longer than a request. */
const prepareDatabase = async ({ config, secrets, databaseUrl, clock }: Required<Options>) => {
  const pool = openPool(databaseUrl, { max: 2, name: 'tributary start', unhurried: true })
  const db = openDatabase(pool)
  try {
    await refuseUnsafeDatabase(db)
    await refuseNewerDatabase(db)
    await migrate(db)
    await ensurePartitions(db, { since: clock(), at: clock() })
    if (config.demo) await seedDemo(db, { clock, dataDir: config.dataDir, hashKey: secrets.hashKey })
  } catch (error) {
    if (error instanceof StartupError || !isBadWeather(error)) throw error
    throw new StartupError(
      `The database cannot be reached (${(error as Error).message}). Check DATABASE_URL and that the server is running.`,
    )
  } finally {
    await pool.end()
  }
}

const listen = (app: ReturnType<typeof buildApp>, { port, host }: Config) => {
  try {
    return Bun.serve({
      port,
      hostname: host,
      idleTimeout: 30,
      fetch: (request, server) => app.fetch(request, { server }),
    })
  } catch (error) {
    if ((error as { code?: string }).code === 'EADDRINUSE')
      throw new StartupError(`Port ${port} is in use. Stop the program that uses it, or set PORT to another one.`)
    throw error
  }
}

const keepPartitionsAhead = (db: Database, clock: Clock, log: Log) =>
  setInterval(() => {
    ensurePartitions(db, { since: clock(), at: clock() }).catch((error: Error) =>
      log.warn({ error: error.message }, 'partitions not made yet'),
    )
  }, HOUR_MS)
