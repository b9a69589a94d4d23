import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import {
  cleanUp,
  givenDataDir,
  givenService,
  launchService,
  ROOT,
  type Service,
  until,
} from '../lifecycle/given-service.ts'
import { cases, NIGHTLY_TIMEOUT_MS } from '../money/nightly.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { canonicalDump } from './canonical-dump.ts'
import { signatureOf } from './given-processor.ts'
import { lifeOf, type Random, randomOf, shuffled } from './storm-payments.ts'
import type { TestEvent } from './stripe-events.ts'

afterAll(cleanUp)

const SEED = Number(process.env.STORM_SEED ?? 20_261_115)
const PAYMENTS = cases({ small: 20, nightly: 200 })
const DELIVERIES = cases({ small: 4, nightly: 20 })
const KILLS = cases({ small: 2, nightly: 10 })
const CONNECTIONS = 12
const SECRET = 'whsec_storm'

const DATA_DIR = givenDataDir()
const serviceOn = (DATABASE_URL: string) =>
  givenService({ env: { DATA_DIR, DATABASE_URL, LOG_LEVEL: 'error', RATE_LIMITS: 'off' } })

const stop = async (service: Service) => {
  service.kill('SIGTERM')
  await service.ended()
}

/** A merchant with partners and clicks, and a database to copy: both runs begin with exactly the same. */
const givenMerchant = async () => {
  const databaseUrl = await createTestDatabase()
  const service = await serviceOn(databaseUrl)
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
  await stop(service)
  return { databaseUrl, programId: String(id), clicks }
}

/** Until it is answered 2xx, as the processor does; each time signed anew. */
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
  await stop(service)
}

/** Many times each, in no order, over many connections, while the service is killed again and again. */
const inAStorm = async (databaseUrl: string, programId: string, events: TestEvent[], random: Random) => {
  const queue = shuffled(
    random,
    events.flatMap((event) => Array<TestEvent>(1 + Math.floor(random() * DELIVERIES)).fill(event)),
  )
  const killAt = Array.from({ length: KILLS }, (_, index) => Math.floor((queue.length * (index + 1)) / (KILLS + 1)))
  let service = await serviceOn(databaseUrl)
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
      service.kill('SIGKILL')
      await service.ended()
      killed += 1
      service = await serviceOn(databaseUrl)
    }
  }
  await Promise.all([kill(), ...Array.from({ length: CONNECTIONS }, work)])
  await stop(service)
  return { delivered: queue.length, killed }
}

const verify = async (DATABASE_URL: string) => {
  const command = [process.execPath, join(ROOT, 'apps/server/src/commands/verify-ledger.ts')]
  return (await launchService({ env: { DATA_DIR, DATABASE_URL }, command }).ended()).stdout.trim().split('\n').at(-1)
}

const nameOf = (url: string) => new URL(url.replace(/^(\w+:\/\/)([^/@]*@)?\//, '$1$2localhost/')).pathname.slice(1)

test(
  `a storm ends as one ordered delivery does, byte for byte (seed ${SEED})`,
  async () => {
    const { databaseUrl, programId, clicks } = await givenMerchant()
    const random = randomOf(SEED)
    // After the clicks, and over before the first is delivered: nothing happens in the future.
    const start = Math.ceil(Date.now() / 1000) + 1
    const lives = clicks.flatMap((clickId, index) =>
      lifeOf(random, { programId, customerKey: `customer_${index}`, clickId }),
    )
    const events = lives
      .toSorted((a, b) => a.second - b.second)
      .map(({ event, second }) => ({ ...event, created: start + second }))
    const [calm, wild] = [await createTestDatabase(nameOf(databaseUrl)), await createTestDatabase(nameOf(databaseUrl))]
    await until(() => Date.now() > (start + 3) * 1000)

    await inOrder(calm, programId, events)
    const { delivered, killed } = await inAStorm(wild, programId, events, random)
    expect(killed).toBe(KILLS)
    expect(delivered).toBeGreaterThan(events.length)

    const expected = await canonicalDump(calm)
    expect(expected.match(/^sale /gm)?.length).toBeGreaterThan(PAYMENTS / 2)
    for (const what of ['commission', 'refund', 'dispute', 'lead', 'balance', 'event'])
      expect(expected).toContain(`${what} {`)
    expect((await canonicalDump(wild)).split('\n')).toEqual(expected.split('\n'))
    for (const url of [calm, wild]) expect(await verify(url)).toEndWith(' 0 differences')
  },
  { timeout: Math.max(NIGHTLY_TIMEOUT_MS, 180_000) },
)
