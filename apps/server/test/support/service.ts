import { afterAll } from 'bun:test'
import { type Config, readConfig } from '../../src/config/config.ts'
import { openDatabase, openPool } from '../../src/database/connect.ts'
import { startService } from '../../src/service.ts'
import { expectEveryDecisionAgain } from '../explain/every-decision.ts'
import { expectEveryEvent } from '../outbox/every-event.ts'
import { asService, createTestDatabase, dropTestDatabase } from './postgres.ts'
import { quickPasswords } from './quick-passwords.ts'
import { slowDatabase } from './slow-database.ts'

export const DAY_MS = 86_400_000

/** Follows the real time until a test moves or stops it. */
const movableClock = () => {
  let offset = 0
  let stoppedAt: number | null = null
  return {
    now: () => new Date((stoppedAt ?? Date.now()) + offset),
    /** For limits per minute: on a slow machine the calls themselves take longer than that. */
    stop: () => {
      stoppedAt ??= Date.now()
    },
    advance: (milliseconds: number) => {
      offset += milliseconds
    },
    reset: () => {
      offset = 0
      stoppedAt = null
    },
  }
}

/** How long most files take, even on a slow machine. */
const FILE_MS = 60_000

/** A file that runs across midnight would see its events on two days. Waits until midnight has passed. */
const passMidnight = async () => {
  const leftMs = DAY_MS - (Date.now() % DAY_MS)
  if (leftMs < FILE_MS) await Bun.sleep(leftMs)
}

export type TestService = Awaited<ReturnType<typeof startTestService>>

export const CONFIG: Config = {
  port: 0,
  host: '127.0.0.1',
  baseUrl: 'http://localhost:3000',
  portalUrl: 'http://localhost:3000',
  dataDir: '',
  givenSecrets: null,
  databaseUrl: null,
  databaseOwnerUrl: null,
  databaseReadUrl: null,
  openSignup: true,
  checkAnswers: true,
  trustedProxies: [],
  geoipDatabase: null,
  asnDatabase: null,
  rateLimits: false,
  demo: false,
  // Prints the error behind every `internal_error`.
  logLevel: 'error',
  cell: '',
  node: 'test',
  stripe: readConfig({}).stripe,
  mail: null,
  webhookAllowHosts: [],
  oidc: null,
  backup: { key: null, s3: null, archiveDir: null, archiveDays: 7 },
  tracesEndpoint: null,
  workers: 1,
  retentionDays: null,
}

export const SECRETS = { sessionSecret: 's'.repeat(40), hashKey: 'h'.repeat(40), databasePassword: 'p'.repeat(40) }

type Overrides = Pick<Parameters<typeof startService>[0], 'callsPerMinute' | 'passwords' | 'connectionWaitMs'> & {
  /** The test changes sales or commissions behind the service's back, so that events do not match. */
  tampers?: boolean
  /** How much later the database receives each statement. */
  databaseDelayMs?: number
}

/**
 * The whole service on a real Postgres and a real port, as main.ts runs it except for the password hash, with a movable
 * clock. A file that needs no settings takes `givenService` (shared-service.ts), which starts faster.
 */
export const startTestService = async (config: Partial<Config> = {}, overrides: Overrides = {}) => {
  const service = await runTestService(config, overrides)
  afterAll(service.end)
  return service.forTests
}

/** Without hooks: the caller ends it. */
export const runTestService = async (
  config: Partial<Config>,
  { tampers = false, databaseDelayMs, ...overrides }: Overrides = {},
) => {
  await passMidnight()
  const databaseUrl = await createTestDatabase()
  const serviceUrl = await asService(databaseUrl)
  const clock = movableClock()
  const service = await startService({
    config: { ...CONFIG, ...config },
    secrets: SECRETS,
    databaseUrl: databaseDelayMs ? await slowDatabase(serviceUrl, databaseDelayMs) : serviceUrl,
    ownerUrl: databaseUrl,
    clock: clock.now,
    passwords: quickPasswords,
    // On a busy machine, two seconds are too short for a test that sends many calls at once.
    connectionWaitMs: 20_000,
    ...overrides,
  })
  const pool = openPool(databaseUrl, { max: 4, name: 'test', noTimeouts: true })
  const db = openDatabase(pool)

  /** In every test, replaying each decision must give the same result, and each change has its event. */
  const verify = async () => {
    await expectEveryDecisionAgain(db)
    if (!tampers) await expectEveryEvent(db, { isWholeService: true })
  }
  const stop = async () => {
    await service.stop()
    await pool.end()
    await dropTestDatabase(databaseUrl)
  }
  const end = async () => {
    await service.stop()
    await verify()
    await pool.end()
    await dropTestDatabase(databaseUrl)
  }

  /** Calls the service; a body that is not a string is sent as JSON. */
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(service.url + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text ? parse(text, response) : null }
  }
  const forTests = { url: service.url, mustStop: service.mustStop, databaseUrl, pool, db, clock, call }
  return { forTests, verify, stop, end }
}

const parse = (text: string, { url, status, headers }: Response) => {
  try {
    return JSON.parse(text)
  } catch {
    const start = text.slice(0, 500)
    throw new Error(`${url} answered ${status} with ${headers.get('content-type')} instead of JSON:\n${start}`)
  }
}

export type Answer = Awaited<ReturnType<TestService['call']>>
