import { afterAll, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { Delivery } from '@tributary/example-processor/fakes'
import { createLog } from '../../../src/log.ts'
import { reconcile } from '../../../src/processor/reconcile.ts'
import { Refusal } from '../../../src/refusal.ts'
import { deriveKey } from '../../../src/secrets.ts'
import { expectRefusal } from '../../support/given.ts'
import { CONFIG, SECRETS } from '../../support/service.ts'
import { givenService } from '../../support/shared-service.ts'
import { type FakeProgram, givenFake } from '../standard-webhooks/given-fake.ts'

const service = await givenService()
const KEY = 'polar_oat_9f2k4m7q1x8v3b6n'
const ORGANIZATION = '1dbfc517-0bbf-4301-9ba8-555ca42b9737'
const ENDPOINT = '33333333-3333-4333-8333-333333333333'

type Endpoint = { id: string; url: string; organization_id: string }
type Attempt = { endpoint: string; at: Date; succeeded: boolean; event: { id: string | null; payload: string | null } }

/** Polar's API, as far as it lists endpoints and deliveries. */
const startApi = () => {
  let endpoints: Endpoint[] = []
  let attempts: Attempt[] = []
  let instead: (() => Response | Promise<Response>) | null = null
  const calls: { host: string; path: string; authorization: string | null }[] = []

  const page = (items: object[], query: URLSearchParams) => {
    const limit = Number(query.get('limit') ?? 10)
    const start = (Number(query.get('page') ?? 1) - 1) * limit
    const pagination = { total_count: items.length, max_page: Math.ceil(items.length / limit) }
    return Response.json({ items: items.slice(start, start + limit), pagination })
  }

  const deliveriesOf = (query: URLSearchParams) =>
    attempts
      .filter(
        ({ endpoint, at }) => endpoint === query.get('endpoint_id') && at > new Date(query.get('start_timestamp') ?? 0),
      )
      .toSorted((a, b) => b.at.getTime() - a.at.getTime())
      .map(({ at, succeeded, event }, index) => ({
        id: `44444444-4444-4444-8444-${String(index).padStart(12, '0')}`,
        created_at: at.toISOString(),
        http_code: succeeded ? 200 : 503,
        succeeded,
        webhook_event: { ...event, succeeded, is_archived: event.payload === null },
      }))

  const server = Bun.serve({
    port: 0,
    fetch: (request) => {
      const { pathname: path, searchParams } = new URL(request.url)
      const host = request.headers.get('x-host') ?? ''
      calls.push({ host, path, authorization: request.headers.get('authorization') })
      if (instead) return instead()
      if (path === '/v1/webhooks/endpoints') return page(endpoints, searchParams)
      if (path === '/v1/webhooks/deliveries') return page(deliveriesOf(searchParams), searchParams)
      return new Response('Not found', { status: 404 })
    },
  })
  afterAll(() => server.stop(true))
  return {
    origin: `http://localhost:${server.port}`,
    calls,
    reset: () => {
      endpoints = []
      attempts = []
      instead = null
      calls.length = 0
    },
    add: (...more: Endpoint[]) => endpoints.push(...more),
    hold: (deliveries: Delivery[], { endpoint = ENDPOINT, at = service.clock.now(), succeeded = false } = {}) => {
      for (const { id, body } of deliveries)
        attempts.push({ endpoint, at, succeeded, event: { id, payload: Buffer.from(body).toString('utf8') } })
    },
    archive: () => {
      for (const { event } of attempts) event.payload = null
    },
    answer: (response: () => Response | Promise<Response>) => {
      instead = response
    },
  }
}

const api = startApi()
const { fetch: realFetch } = globalThis
/** Everything that goes to Polar goes to the fake instead. */
globalThis.fetch = Object.assign(
  (input: string | URL | Request, init?: RequestInit) => {
    const [, host] = (typeof input === 'string' && /^https:\/\/((?:sandbox-)?api\.polar\.sh)\//.exec(input)) || []
    if (!host || typeof input !== 'string') return realFetch(input, init)
    return realFetch(input.replace(`https://${host}`, api.origin), {
      ...init,
      headers: { ...init?.headers, 'x-host': host },
    })
  },
  { preconnect: realFetch.preconnect },
)
afterAll(() => {
  globalThis.fetch = realFetch
})
beforeEach(() => api.reset())

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
    { programId, processor: 'polar', days },
  )

const endpointOf = ({ path }: FakeProgram, more: Partial<Endpoint> = {}): Endpoint => ({
  id: ENDPOINT,
  url: `https://track.example.com${path}`,
  organization_id: ORGANIZATION,
  ...more,
})

const given = async (connect: object = {}) => {
  const newSecret = () => `whsec_${randomUUID()}`
  const program = await givenFake(service, { processor: 'polar', newSecret }, { connect })
  expect(await program.connect({ apiKey: KEY })).toMatchObject({ status: 200, body: { data: { hasApiKey: true } } })
  return program
}

describe('events that never arrived', () => {
  test('are listed page by page and applied once, however often Polar tried', async () => {
    const program = await given()
    api.add(endpointOf(program, { id: 'other', url: `${endpointOf(program).url}0` }), endpointOf(program))
    const { name, deliveries } = await program.checkout({ priceCents: 10_000 })
    const unknown = Array.from({ length: 120 }, () => program.fake.unknown()).flat()
    api.hold([...deliveries, ...deliveries, ...unknown, ...program.fake.refund(name)])
    service.clock.advance(600_000)
    const { recovered } = await run(program.id)
    expect(recovered).toBe(deliveries.length + unknown.length + 4)
    expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 1_000 })
    expect(await run(program.id)).toMatchObject({ recovered: 0 })
    for (const call of api.calls) expect(call).toMatchObject({ host: 'api.polar.sh', authorization: `Bearer ${KEY}` })
    expect(api.calls.filter(({ path }) => path === '/v1/webhooks/deliveries')).toHaveLength(4)
  })

  test('are the same events as the webhook’s', async () => {
    const program = await given()
    api.add(endpointOf(program))
    const { deliveries } = await program.checkout()
    await program.send(...deliveries)
    api.hold(deliveries, { succeeded: true })
    service.clock.advance(1_000)
    expect(await run(program.id)).toEqual({ listed: 3, known: 3, recovered: 0 })
  })

  test('of another endpoint, too old, or without content any more are left out', async () => {
    const program = await given()
    api.add(endpointOf(program))
    const { deliveries } = await program.checkout()
    api.hold(deliveries, { endpoint: '55555555-5555-4555-8555-555555555555' })
    api.hold(deliveries, { at: new Date(service.clock.now().getTime() - 3 * 86_400_000) })
    service.clock.advance(1_000)
    expect(await run(program.id, 1)).toEqual({ listed: 0, known: 0, recovered: 0 })
    api.archive()
    expect(await run(program.id, 7)).toEqual({ listed: 0, known: 0, recovered: 0 })
  })

  test('of the sandbox come from its API and stay tests', async () => {
    const program = await given({ test: true })
    api.add(endpointOf(program))
    api.hold((await program.checkout()).deliveries)
    service.clock.advance(1_000)
    expect(await run(program.id)).toMatchObject({ recovered: 3 })
    expect(await program.sales()).toEqual([])
    expect(new Set(api.calls.map(({ host }) => host))).toEqual(new Set(['sandbox-api.polar.sh']))
  })
})

describe('an access token', () => {
  test.each([
    [401, 'does not accept the API key (401)'],
    [403, 'Give it webhooks:read'],
    [429, 'limits the number of requests (429)'],
    [500, 'answers with status 500'],
  ])('that Polar answers with %p is refused with what to do, and nothing is stored', async (status, message) => {
    const program = await given()
    api.answer(() => Response.json({ error: 'x' }, { status, headers: { 'retry-after': '30' } }))
    const error = await run(program.id).catch((caught) => caught)
    expect(error).toBeInstanceOf(Refusal)
    expect(error.message).toContain(message)
    expect(error.message).toContain('Polar')
    expect(error.retryAfterSeconds).toBe(status === 429 ? 30 : status === 500 ? 5 : undefined)
    expect(await program.inbox()).toEqual([])
  })

  test('of an API that is too slow, or cannot be reached, says so', async () => {
    const program = await given()
    const messageOf = () => run(program.id).catch(({ message }) => message)
    const limit = spyOn(AbortSignal, 'timeout').mockImplementation(() =>
      AbortSignal.abort(new DOMException('', 'TimeoutError')),
    )
    api.answer(() => new Promise(() => {}))
    expect(await messageOf()).toContain('Polar did not answer within 10 seconds')
    limit.mockRestore()
    api.answer(() => Response.redirect('https://elsewhere.example'))
    expect(await messageOf()).toContain('Cannot reach Polar right now')
    expect(await program.inbox()).toEqual([])
  })

  test('that is missing is asked for', async () => {
    const newSecret = () => `whsec_${randomUUID()}`
    const program = await givenFake(service, { processor: 'polar', newSecret })
    const error = await run(program.id).catch((caught) => caught)
    expect(error.message).toBe('Save an API key of Polar with the permission webhooks:read first.')
    expect(api.calls).toEqual([])
  })

  test('of another organization, or of one without the endpoint, is refused', async () => {
    const program = await given({ accountId: ORGANIZATION })
    const messageOf = () => run(program.id).catch(({ message }) => message)
    expect(await messageOf()).toContain(`has no endpoint that ends with ${program.path}`)
    const other = '2dbfc517-0bbf-4301-9ba8-555ca42b9738'
    api.add(endpointOf(program, { organization_id: other }))
    expect(await messageOf()).toContain(
      `belongs to organization ${other}, but the program is connected to ${ORGANIZATION}`,
    )
    expect(await program.inbox()).toEqual([])
  })

  test('in another form is not saved', async () => {
    const program = await given()
    expectRefusal(await program.connect({ apiKey: 'sk_live_1234567890' }), 400, 'invalid_request')
  })
})
