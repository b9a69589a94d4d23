import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Delivery } from '@tributary/example-processor/fakes'
import { createLog } from '../../../src/log.ts'
import { reconcile } from '../../../src/processor/reconcile.ts'
import { Refusal } from '../../../src/refusal.ts'
import { deriveKey } from '../../../src/secrets.ts'
import { expectRefusal, unique } from '../../support/given.ts'
import { CONFIG, SECRETS } from '../../support/service.ts'
import { givenService } from '../../support/shared-service.ts'
import { contentOf, eventOf, givenLemonSqueezy } from './given-lemonsqueezy.ts'

const service = await givenService()
const KEY = `eyJ0eXAiOiJKV1Qi.${'a1B2'.repeat(270)}.sig-nature_1`

/** Lemon Squeezy's API, as far as it lists orders, invoices and subscriptions: the latest state of each, without custom data. */
const startApi = () => {
  let objects: ReturnType<typeof contentOf>[] = []
  let instead: (() => Response | Promise<Response>) | null = null
  const calls: { path: string; query: Record<string, string>; headers: Headers }[] = []

  const list = (path: string, query: URLSearchParams) => {
    const storeId = Number(query.get('filter[store_id]'))
    const latest = new Map(
      objects
        .filter(({ type, attributes }) => path === `/v1/${type}` && attributes.store_id === storeId)
        .map((object) => [object.id, object]),
    )
    const newestFirst = [...latest.values()].toSorted((a, b) =>
      a.attributes.created_at < b.attributes.created_at ? 1 : -1,
    )
    const [number, size] = [Number(query.get('page[number]')), Number(query.get('page[size]'))]
    const data = newestFirst.slice((number - 1) * size, number * size)
    const lastPage = Math.max(1, Math.ceil(newestFirst.length / size))
    const links = { first: 'https://…', last: 'https://…', ...(number < lastPage && { next: 'https://…' }) }
    return Response.json({
      meta: { page: { currentPage: number, lastPage } },
      jsonapi: { version: '1.0' },
      links,
      data,
    })
  }

  const server = Bun.serve({
    port: 0,
    fetch: (request) => {
      const { pathname: path, searchParams } = new URL(request.url)
      calls.push({ path, query: Object.fromEntries(searchParams), headers: request.headers })
      if (!request.headers.get('accept')?.includes('application/vnd.api+json')) return new Response('', { status: 406 })
      return instead?.() ?? list(path, searchParams)
    },
  })
  afterAll(() => server.stop(true))
  return {
    origin: `http://localhost:${server.port}`,
    calls,
    hold: (deliveries: Delivery[]) => {
      objects = deliveries.map((delivery) => contentOf(delivery).data)
    },
    answer: (response: (() => Response | Promise<Response>) | null) => {
      instead = response
    },
  }
}

const api = startApi()
const { fetch: realFetch } = globalThis
/** Everything that goes to Lemon Squeezy goes to the fake instead. */
globalThis.fetch = Object.assign(
  (input: string | URL | Request, init?: RequestInit) =>
    typeof input === 'string'
      ? realFetch(input.replace('https://api.lemonsqueezy.com', api.origin), init)
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
    { programId, processor: 'lemonsqueezy', days },
  )

const givenKey = async (connect: object = { accountId: '71043' }) => {
  const store = await givenLemonSqueezy(service, { connect: { apiKey: KEY, ...connect } })
  return store
}

describe('what never arrived', () => {
  test('is read from the store’s orders, invoices and subscriptions, page by page, and applied once', async () => {
    const store = await givenKey()
    const { name, deliveries } = await store.checkout({ mode: 'subscription', priceCents: 10_000 })
    await store.send(eventOf(deliveries, 'order_created'))
    const others = Array.from({ length: 120 }, () => store.fake.checkout(unique('other'))).flat()
    api.hold([...deliveries, ...store.fake.refund(name, { cents: 1_000 }), ...others])
    service.clock.advance(600_000)
    const { listed, known, recovered } = await run(store.id)
    expect({ listed, known, recovered }).toEqual({ listed: 125, known: 0, recovered: 125 })
    expect(await store.sales()).toHaveLength(1)
    expect(await store.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 100 })
    expect(await run(store.id)).toEqual({ listed: 125, known: 125, recovered: 0 })
    expect(api.calls.slice(0, 4).map(({ path, query }) => [path, query['page[number]']])).toEqual([
      ['/v1/orders', '1'],
      ['/v1/orders', '2'],
      ['/v1/subscription-invoices', '1'],
      ['/v1/subscriptions', '1'],
    ])
    for (const { headers, query } of api.calls) {
      expect(headers.get('authorization')).toBe(`Bearer ${KEY}`)
      expect(query).toMatchObject({ 'filter[store_id]': '71043', 'page[size]': '100', sort: '-createdAt' })
    }
  })

  test('is not applied again if the webhook had delivered it', async () => {
    const store = await givenKey()
    const { deliveries } = await store.checkout({ priceCents: 10_000 })
    await store.send(...deliveries)
    api.hold(deliveries)
    expect(await run(store.id)).toEqual({ listed: 1, known: 1, recovered: 0 })
  })

  test('does not keep out the webhook’s event, which alone has the custom data', async () => {
    const store = await givenKey()
    const { deliveries } = await store.checkout({ priceCents: 10_000 })
    api.hold(deliveries)
    expect(await run(store.id)).toMatchObject({ recovered: 1 })
    expect(await store.sales()).toEqual([])
    await store.send(...deliveries)
    expect(await store.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
  })

  test('older than asked for is left out', async () => {
    const store = await givenKey()
    const old = (await store.checkout()).deliveries
    service.clock.advance(3 * 86_400_000)
    const recent = (await store.checkout()).deliveries
    api.hold([...old, ...recent])
    expect(await run(store.id, 1)).toMatchObject({ listed: 1 })
  })

  test('in test mode counts as a test', async () => {
    const store = await givenKey()
    const { deliveries } = await store.checkout()
    api.hold(deliveries.map((delivery) => delivery))
    api.answer(async () => {
      const data = deliveries.map((delivery) => contentOf(delivery).data)
      for (const { attributes } of data) attributes.test_mode = true
      return Response.json({ data, links: {} })
    })
    await run(store.id)
    expect((await store.events()).every(({ test }) => test)).toBe(true)
    expect(await store.sales()).toEqual([])
  })
})

describe('a key', () => {
  test.each([
    [401, 'does not accept the API key (401)'],
    [403, '403'],
    [429, 'limits the number of requests (429)'],
    [500, 'status 500'],
  ])('that Lemon Squeezy answers with %p is refused with what to do, and nothing is stored', async (status, message) => {
    const store = await givenKey()
    api.answer(() =>
      Response.json({ errors: [{ status: String(status) }] }, { status, headers: { 'retry-after': '30' } }),
    )
    const error = await run(store.id).catch((caught) => caught)
    expect(error).toBeInstanceOf(Refusal)
    expect(error.message).toContain(message)
    expect(error.message).toContain('Lemon Squeezy')
    expect(await store.inbox()).toEqual([])
  })

  test('that Lemon Squeezy answers too slowly has a time limit', async () => {
    const store = await givenKey()
    api.answer(() => new Promise(() => {}))
    const error = await run(store.id).catch((caught) => caught)
    expect(error.message).toBe('Lemon Squeezy did not answer within 10 seconds. Try again later.')
  }, 30_000)

  test('is needed, and so is the store', async () => {
    const [keyless, nameless] = [await givenKey({ apiKey: undefined, accountId: '71043' }), await givenKey({})]
    expect((await run(keyless.id).catch((caught) => caught)).message).toContain('Save an API key')
    expect((await run(nameless.id).catch((caught) => caught)).message).toContain('store ID')
    expect(api.calls).toEqual([])
  })

  test('in another form is not accepted, and none is ever shown', async () => {
    const store = await givenKey()
    expectRefusal(await store.connect({ apiKey: 'short key' }), 400, 'invalid_request')
    expect(JSON.stringify(await store.connection())).not.toContain(KEY)
  })
})
