import { afterAll, expect, test } from 'bun:test'
import { readConfig } from '../../src/config/config.ts'
import { openDatabase, openPool } from '../../src/database/connect.ts'
import { loadSecrets } from '../../src/secrets.ts'
import { startService } from '../../src/service.ts'
import { verifyEverything } from '../../src/tracking/payments/verify-payments.ts'
import { cleanUp, freePort, givenDataDir, givenService, until } from '../lifecycle/given-service.ts'
import { cases, NIGHTLY_TIMEOUT_MS } from '../money/nightly.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { canonicalDump } from './canonical-dump.ts'
import { signatureOf } from './given-processor.ts'
import { type Random, randomOf, shuffled, timelineOf } from './storm-payments.ts'
import type { TestEvent } from './stripe-events.ts'

afterAll(cleanUp)

const SEED = Number(process.env.STORM_SEED ?? 20_261_115)
const PAYMENTS = cases({ short: 4, small: 20, nightly: 200 })
const DELIVERIES = cases({ short: 2, small: 4, nightly: 20 })
const KILLS = cases({ short: 0, small: 2, nightly: 10 })
const CONNECTIONS = 12
const SECRET = 'whsec_storm'

const DATA_DIR = givenDataDir()
const envOf = (DATABASE_URL: string) => ({ DATA_DIR, DATABASE_URL, LOG_LEVEL: 'error', RATE_LIMITS: 'off' })

/** A separate process, which can be killed. */
const processOn = async (databaseUrl: string) => {
  const service = await givenService({ env: envOf(databaseUrl) })
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    service.kill(signal)
    await service.ended()
  }
  return { port: service.port, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}

/** The same service in this process, which starts faster. */
const serviceOn = async (databaseUrl: string, { clock = () => new Date() } = {}) => {
  const port = freePort()
  const config = readConfig({ ...envOf(databaseUrl), PORT: String(port), DEMO: 'false' })
  const database = { databaseUrl, ownerUrl: databaseUrl }
  const service = await startService({ config, secrets: loadSecrets(DATA_DIR), ...database, clock })
  return { port, kill: () => Promise.reject(new Error('only a process can be killed')), stop: service.stop }
}

/** Clicks come before the payments, which are all made before the first event is delivered. */
const earlier = () => new Date(Date.now() - 20_000)

/** A merchant with partners and clicks, and a database to copy: both runs start with the same data. */
const givenMerchant = async () => {
  const databaseUrl = await createTestDatabase()
  const service = await serviceOn(databaseUrl, { clock: earlier })
  let cookie = ''
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`http://localhost:${service.port}${path}`, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    })
    expect(response.ok).toBe(true)
    const set = response.headers.getSetCookie().map((line) => line.split(';')[0])
    if (set.length > 0) cookie = set.join('; ')
    return (await response.json()) as { data: { id: number; aff: string }; click_id: string }
  }
  await call('POST', '/api/auth/sign-up/email', {
    name: 'A',
    email: 'a@example.com',
    password: 'correct horse battery',
  })
  await call('POST', '/api/workspaces', { name: 'Acme' })
  const { id } = (await call('POST', '/api/programs', { name: 'Acme' })).data
  const program = `/api/programs/${id}`
  await call('PUT', `${program}/reward`, { sale: { percentBps: 1_250, duration: 'lifetime' }, holdDays: 0 })
  const links: string[] = []
  for (const name of ['Maya', 'Noor', 'Olu']) {
    const partner = (await call('POST', `${program}/partners`, { name, status: 'approved' })).data
    links.push((await call('POST', `${program}/links`, { partnerId: partner.id })).data.aff)
  }
  const clicks: string[] = []
  for (let index = 0; index < PAYMENTS; index++)
    clicks.push(
      (await call('POST', '/api/v1/track/click', { affiliate_url: `https://shop.example/?aff=${links[index % 3]}` }))
        .click_id,
    )
  await call('PUT', `${program}/processor`, { webhookSecret: SECRET })
  await service.stop()
  return { databaseUrl, programId: String(id), clicks }
}

/** Until it is answered 2xx, with a new signature each time, as the processor does. */
const deliver = async (event: TestEvent, { programId, port }: { programId: string; port: () => number }) => {
  const raw = JSON.stringify(event)
  for (;;) {
    const signature = await signatureOf(raw, { secret: SECRET })
    const answer = await fetch(`http://localhost:${port()}/api/v1/processor/webhook/${programId}`, {
      method: 'POST',
      headers: { 'stripe-signature': signature },
      body: raw,
    }).catch(() => null)
    if (answer?.ok) return
    if (answer && answer.status !== 503) throw new Error(`${answer.status} ${await answer.text()}`)
    await Bun.sleep(50)
  }
}

const inOrder = async (databaseUrl: string, programId: string, events: TestEvent[]) => {
  const service = await serviceOn(databaseUrl)
  for (const event of events) await deliver(event, { programId, port: () => service.port })
  await service.stop()
}

/** Many deliveries of each, in random order, over many connections, while the service is killed repeatedly. */
const inAStorm = async (databaseUrl: string, programId: string, events: TestEvent[], random: Random) => {
  const queue = shuffled(
    random,
    events.flatMap((event) => Array<TestEvent>(1 + Math.floor(random() * DELIVERIES)).fill(event)),
  )
  const killAt = Array.from({ length: KILLS }, (_, index) => Math.floor((queue.length * (index + 1)) / (KILLS + 1)))
  let service = await (KILLS === 0 ? serviceOn : processOn)(databaseUrl)
  let next = 0
  let killed = 0
  const work = async () => {
    while (next < queue.length) {
      const event = queue[next++] as TestEvent
      await deliver(event, { programId, port: () => service.port })
    }
  }
  const kill = async () => {
    for (const at of killAt) {
      await until(() => next >= at, 600_000)
      await service.kill()
      killed += 1
      service = await processOn(databaseUrl)
    }
  }
  await Promise.all([kill(), ...Array.from({ length: CONNECTIONS }, work)])
  await service.stop()
  return { delivered: queue.length, killed }
}

const differencesIn = async (databaseUrl: string) => {
  const pool = openPool(databaseUrl, { max: 1, noTimeouts: true })
  const { differences } = await verifyEverything(openDatabase(pool), { sealedBefore: null, onProgram: () => {} })
  await pool.end()
  return differences
}

const nameOf = (url: string) => new URL(url.replace(/^(\w+:\/\/)([^/@]*@)?\//, '$1$2localhost/')).pathname.slice(1)

test(
  `a storm ends as one ordered delivery does, byte for byte (seed ${SEED})`,
  async () => {
    const { databaseUrl, programId, clicks } = await givenMerchant()
    const random = randomOf(SEED)
    const start = Math.ceil(earlier().getTime() / 1000) + 1
    const lives = clicks.flatMap((clickId, index) =>
      timelineOf(random, { programId, customerKey: `customer_${index}`, clickId }),
    )
    const events = lives
      .toSorted((a, b) => a.second - b.second)
      .map(({ event, second }) => ({ ...event, created: start + second }))
    const [calm, wild] = [await createTestDatabase(nameOf(databaseUrl)), await createTestDatabase(nameOf(databaseUrl))]

    await inOrder(calm, programId, events)
    const { delivered, killed } = await inAStorm(wild, programId, events, random)
    expect(killed).toBe(KILLS)
    expect(delivered).toBeGreaterThan(events.length)

    const expected = await canonicalDump(calm)
    expect(expected.match(/^sale /gm)?.length).toBeGreaterThan(PAYMENTS / 2)
    for (const what of ['commission', 'refund', 'dispute', 'lead', 'balance', 'event'])
      expect(expected).toContain(`${what} {`)
    expect((await canonicalDump(wild)).split('\n')).toEqual(expected.split('\n'))
    for (const url of [calm, wild]) expect(await differencesIn(url)).toBe(0)
  },
  { timeout: Math.max(NIGHTLY_TIMEOUT_MS, 180_000) },
)
