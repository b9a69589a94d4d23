import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Delivery } from '@tributary/example-processor/fakes'
import { createLog } from '../../../src/log.ts'
import { reconcile } from '../../../src/processor/reconcile.ts'
import { Refusal } from '../../../src/refusal.ts'
import { deriveKey } from '../../../src/secrets.ts'
import { expectRefusal, unique } from '../../support/given.ts'
import { CONFIG, SECRETS } from '../../support/service.ts'
import { givenService } from '../../support/shared-service.ts'
import { isLongRun } from '../../support/size.ts'
import { contentOf, givenPaddle } from './given-paddle.ts'

const service = await givenService()
const KEY = 'pdl_live_apikey_01gtgztp8f4kek3yd4g1wrksa3_q6TGTJyvoIz7LDtXT65bX7_AQO'

/** Paddle's API, as far as it lists events. */
const startApi = () => {
  let events: { event_id: string }[] = []
  let destinations: string[] = []
  let instead: (() => Response | Promise<Response>) | null = null
  const calls: { path: string; query: Record<string, string>; authorization: string | null }[] = []

  const list = (query: URLSearchParams) => {
    const all = query.get('order_by') === 'id[DESC]' ? events.toReversed() : events
    const start = all.findIndex(({ event_id }) => event_id === query.get('after')) + 1
    const data = all.slice(start, start + Number(query.get('per_page')))
    const has_more = start + data.length < all.length
    return Response.json({ data, meta: { request_id: 'r', pagination: { per_page: data.length, has_more } } })
  }

  const server = Bun.serve({
    port: 0,
    fetch: (request) => {
      const { pathname: path, searchParams } = new URL(request.url)
      calls.push({ path, query: Object.fromEntries(searchParams), authorization: request.headers.get('authorization') })
      if (instead) return instead()
      if (path === '/events') return list(searchParams)
      const data = destinations.map((destination) => ({ id: 'ntfset_01', type: 'url', destination }))
      return Response.json({ data, meta: { request_id: 'r' } })
    },
  })
  afterAll(() => server.stop(true))
  return {
    origin: `http://localhost:${server.port}`,
    calls,
    hold: (deliveries: Delivery[]) => {
      events = deliveries.map(contentOf)
    },
    /** Notification destinations of the account. */
    destine: (...urls: string[]) => {
      destinations = urls
    },
    answer: (response: (() => Response | Promise<Response>) | null) => {
      instead = response
    },
  }
}

const api = startApi()
const { fetch: realFetch } = globalThis
/** Everything that goes to Paddle goes to the fake instead. */
globalThis.fetch = Object.assign(
  (input: string | URL | Request, init?: RequestInit) =>
    typeof input === 'string'
      ? realFetch(input.replace('https://api.paddle.com', api.origin), init)
      : realFetch(input, init),
  { preconnect: realFetch.preconnect },
)
afterAll(() => {
  globalThis.fetch = realFetch
})
beforeEach(() => {
  api.answer(null)
  api.hold([])
  api.calls.length = 0
})

const run = (programId: number, days = 7) =>
  reconcile(
    {
      ...CONFIG,
      db: service.db,
      clock: service.clock.now,
      hashKey: SECRETS.hashKey,
      sealKey: deriveKey(SECRETS, 'processor signing secrets'),
      log: createLog('error'),
    },
    { programId, processor: 'paddle', days },
  )

const givenKey = async () => {
  const program = await givenPaddle(service)
  expect(await program.connect({ apiKey: KEY })).toMatchObject({ status: 200 })
  api.destine('https://other.example/hooks', `https://track.example${program.path}`)
  return program
}

describe('events that never arrived', () => {
  test('are listed page by page and applied once', async () => {
    const program = await givenKey()
    const { name, deliveries } = await program.payment()
    const renamed = Array.from({ length: 250 }, () => program.fake.unknown()).flat()
    api.hold([...deliveries, ...renamed, ...program.fake.refund(name)])
    service.clock.advance(600_000)
    expect(await run(program.id)).toEqual({ listed: 254, known: 0, recovered: 254 })
    expect(await program.earned()).toEqual({ commissions: 1, cents: 490, reversed: 490 })
    expect(await run(program.id)).toEqual({ listed: 254, known: 254, recovered: 0 })
    const listed = api.calls.filter(({ path }) => path === '/events')
    expect(listed).toHaveLength(4)
    for (const { query } of listed) expect(query).toMatchObject({ per_page: '200', order_by: 'id[DESC]' })
    for (const { authorization } of api.calls) expect(authorization).toBe(`Bearer ${KEY}`)
  })

  test('are the same events as the webhook’s', async () => {
    const program = await givenKey()
    const { deliveries } = await program.payment()
    await program.send(deliveries)
    api.hold(deliveries)
    expect(await run(program.id)).toEqual({ listed: 2, known: 2, recovered: 0 })
  })

  test('older than asked for are left out', async () => {
    const program = await givenKey()
    const old = (await program.payment()).deliveries
    service.clock.advance(3 * 86_400_000)
    const recent = (await program.payment()).deliveries
    api.hold([...old, ...recent])
    expect(await run(program.id, 1)).toEqual({ listed: 2, known: 0, recovered: 2 })
    expect(await program.sales()).toHaveLength(1)
  })
})

describe('a key', () => {
  test.each([
    [401, 'does not accept the API key (401)'],
    [403, 'Notifications: read'],
    [429, 'limits the number of requests (429)'],
    [500, 'status 500'],
  ])('that Paddle answers with %p is refused with what to do, and nothing is stored', async (status, message) => {
    const program = await givenKey()
    api.answer(() => Response.json({ error: { code: 'x' } }, { status, headers: { 'retry-after': '30' } }))
    const error = await run(program.id).catch((caught) => caught)
    expect(error).toBeInstanceOf(Refusal)
    expect(error.message).toContain(message)
    expect(error.message).toContain('Paddle')
    expect(await program.inbox()).toEqual([])
  })

  test('of another account is refused: its payments must not be credited here', async () => {
    const [program, other] = [await givenKey(), await givenPaddle(service)]
    api.destine(`https://track.example${other.path}`, `https://track.example${program.path}0`)
    api.hold((await program.payment()).deliveries)
    const error = await run(program.id).catch((caught) => caught)
    expect(error.message).toContain('without a notification destination for this program')
    expect(api.calls.map(({ path }) => path)).toEqual(['/notification-settings'])
    expect(await program.inbox()).toEqual([])
  })

  test.skipIf(!isLongRun)(
    'of an API that is too slow says so',
    async () => {
      const program = await givenKey()
      api.answer(() => Bun.sleep(11_000).then(() => Response.json({})))
      const error = await run(program.id).catch((caught) => caught)
      expect(error.message).toContain('did not answer within 10 seconds')
      expect(await program.inbox()).toEqual([])
    },
    20_000,
  )

  test('that is missing is asked for', async () => {
    const program = await givenPaddle(service)
    const error = await run(program.id).catch((caught) => caught)
    expect(error.message).toContain('Save an API key of Paddle')
    expect(api.calls).toEqual([])
  })

  test('of a sandbox account is refused: its payments must not be recovered as live ones', async () => {
    const program = await givenPaddle(service)
    for (const apiKey of [KEY.replace('live', 'sdbx'), unique('key')])
      expectRefusal(await program.connect({ apiKey }), 400, 'invalid_request')
    expect(await program.connection()).toMatchObject({ hasApiKey: false })
  })

  test('is named with its permission on the set-up page', async () => {
    const program = await givenKey()
    const { hasApiKey, setUp } = await program.connection()
    expect(hasApiKey).toBe(true)
    expect(setUp.apiKey).toMatchObject({ permissions: ['Notifications: read', 'Notification settings: read'] })
  })
})
