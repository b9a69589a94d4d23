import { describe, expect, spyOn, test } from 'bun:test'
import { readConfig } from '../../src/config/config.ts'
import { EVENT_TYPES } from '../../src/processor/stripe/translate.ts'
import { expectRefusal } from '../support/given.ts'
import { givenPayingProgram, type PayingProgram } from '../support/money.ts'
import { startTestService } from '../support/service.ts'
import { startEndpointsApi } from './given-endpoints.ts'
import { post, signatureOf, TEN_PERCENT } from './given-processor.ts'
import { stripePayment } from './stripe-events.ts'

const api = startEndpointsApi()
const service = await startTestService({ stripe: { ...readConfig({}).stripe, apiBase: api.url } })

const givenStripe = async () => {
  api.endpoints.clear()
  api.become('works')
  const program = await givenPayingProgram(service, TEN_PERCENT)
  const path = `${program.api}/processors/stripe`
  return {
    ...program,
    put: (body: object) => program.owner.call('PUT', path, body),
    remove: (from = path) => program.owner.call('DELETE', from),
    connection: () => connectionOf(program),
  }
}

const connectionOf = async ({ owner, api: of }: PayingProgram) => {
  const { data } = (await owner.call('GET', `${of}/processors`)).body
  return data.find((row: { processor: string }) => row.processor === 'stripe')
}

const subscribed = (connection: { eventTypes: { subscribed: boolean }[] }) =>
  connection.eventTypes.filter((one) => one.subscribed).length

describe('a pasted key', () => {
  test('creates the endpoint with all events, stores its secret, and shows each event as subscribed but not seen', async () => {
    const program = await givenStripe()
    const { status, body } = await program.put({ apiKey: 'rk_live_1' })
    expect(status).toBe(200)
    const [endpoint, ...others] = api.endpoints.values()
    expect(others).toEqual([])
    expect(endpoint).toMatchObject({ url: body.data.endpointUrl, enabled_events: EVENT_TYPES })
    expect(api.keys.at(-1)).toBe('Bearer rk_live_1')
    expect(body.data).toMatchObject({ status: 'pending', managesEndpoint: true, hasApiKey: true })
    expect(subscribed(body.data)).toBe(EVENT_TYPES.length)
    expect(body.data.eventTypes.every(({ lastSeenAt }: { lastSeenAt: null }) => lastSeenAt === null)).toBe(true)
    expect(JSON.stringify(body)).not.toContain(endpoint?.secret ?? '')

    const raw = JSON.stringify(stripePayment().completed())
    const signature = await signatureOf(raw, { secret: endpoint?.secret ?? '', at: service.clock.now() })
    const delivered = await post(service, `/api/v1/processor/stripe/webhook/${program.id}`, raw, signature)
    expect(delivered.status).toBe(200)
    const connection = await program.connection()
    expect(connection.status).toBe('connected')
    const seen = connection.eventTypes.filter(({ lastSeenAt }: { lastSeenAt: string | null }) => lastSeenAt)
    expect(seen).toMatchObject([{ type: 'checkout.session.completed', subscribed: true }])
  })

  test('updates the endpoint when the list has grown', async () => {
    const program = await givenStripe()
    await program.put({ apiKey: 'rk_live_1' })
    const [endpoint] = api.endpoints.values()
    await service.pool.query('UPDATE processor_connections SET endpoint_events = $1 WHERE program_id = $2', [
      ['invoice.paid'],
      program.id,
    ])
    Object.assign(endpoint ?? {}, { enabled_events: ['invoice.paid'] })
    expect(subscribed(await program.connection())).toBe(1)
    expect((await program.put({})).status).toBe(200)
    expect(endpoint?.enabled_events).toEqual(EVENT_TYPES)
    expect(subscribed(await program.connection())).toBe(EVENT_TYPES.length)
    expect(api.endpoints.size).toBe(1)
  })

  test('removes the endpoint with the connection, by both addresses, even if it is gone already', async () => {
    const program = await givenStripe()
    for (const path of [undefined, `${program.api}/processor`]) {
      await program.put({ apiKey: 'rk_live_1' })
      expect((await program.remove(path)).status).toBe(200)
      expect(api.endpoints.size).toBe(0)
      expect(await program.connection()).toMatchObject({
        status: 'disconnected',
        managesEndpoint: false,
        hasApiKey: false,
      })
      expect(subscribed(await program.connection())).toBe(0)
    }
    await program.put({ apiKey: 'rk_live_1' })
    api.endpoints.clear()
    expect((await program.remove()).body.data).toMatchObject({ status: 'disconnected' })
  })

  test('that Stripe refuses connects nothing, and the answer says why', async () => {
    const program = await givenStripe()
    const refusals = [
      [401, 409, 'conflict', 'API key'],
      [403, 409, 'conflict', 'Webhook Endpoints: write'],
      [429, 503, 'unavailable', '429'],
      [500, 503, 'unavailable', '500'],
    ] as const
    for (const [answer, status, code, says] of refusals) {
      api.become(answer)
      const refused = await program.put({ apiKey: 'rk_live_1' })
      expectRefusal(refused, status, code)
      expect(refused.body.error.message).toContain(says)
      expect(await program.connection()).toMatchObject({ status: 'not_connected', hasApiKey: false })
    }
    expect(api.endpoints.size).toBe(0)
  })

  test('that Stripe does not answer in time connects nothing, and the answer says so', async () => {
    const program = await givenStripe()
    const limit = spyOn(AbortSignal, 'timeout').mockImplementation(() =>
      AbortSignal.abort(new DOMException('', 'TimeoutError')),
    )
    const refused = await program.put({ apiKey: 'rk_live_1' })
    limit.mockRestore()
    expectRefusal(refused, 503, 'unavailable')
    expect(refused.body.error.message).toContain('Stripe did not answer within 10 seconds')
    expect(await program.connection()).toMatchObject({ status: 'not_connected', hasApiKey: false })
    expect(api.endpoints.size).toBe(0)
  })

  test('leaves no endpoint behind if the answer is lost', async () => {
    const program = await givenStripe()
    api.become('lost', 'POST')
    expectRefusal(await program.put({ apiKey: 'rk_live_1' }), 503, 'unavailable')
    expect(api.endpoints.size).toBe(0)
    expect(await program.connection()).toMatchObject({ status: 'not_connected' })
  })

  test('removes what an attempt left behind while Stripe was down', async () => {
    const program = await givenStripe()
    api.become('lost')
    expectRefusal(await program.put({ apiKey: 'rk_live_1' }), 503, 'unavailable')
    api.become('works')
    expect((await program.put({ apiKey: 'rk_live_1' })).status).toBe(200)
    expect(api.endpoints.size).toBe(1)
  })

  test('sent twice concurrently connects once', async () => {
    const program = await givenStripe()
    const answers = await Promise.all([1, 2, 3].map(() => program.put({ apiKey: 'rk_live_1' })))
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    for (const { status } of answers) expect([200, 409]).toContain(status)
    expect(api.endpoints.size).toBe(1)
    const [{ secret } = { secret: '' }] = api.endpoints.values()
    const raw = JSON.stringify(stripePayment().completed())
    const signature = await signatureOf(raw, { secret, at: service.clock.now() })
    expect((await post(service, `/api/v1/processor/stripe/webhook/${program.id}`, raw, signature)).status).toBe(200)
  })

  test('does not touch an endpoint that the merchant connected with its secret', async () => {
    const program = await givenStripe()
    await program.put({ webhookSecret: 'whsec_own' })
    expect((await program.put({ apiKey: 'rk_live_1' })).body.data).toMatchObject({
      managesEndpoint: false,
      hasApiKey: true,
    })
    await program.remove()
    expect(api.endpoints.size).toBe(0)
  })
})

describe('disconnecting', () => {
  test('is refused while Stripe is down, so that the endpoint does not stay behind', async () => {
    const program = await givenStripe()
    await program.put({ apiKey: 'rk_live_1' })
    for (const mood of [429, 500]) {
      api.become(mood)
      expectRefusal(await program.remove(), 503, 'unavailable')
      expect(await program.connection()).toMatchObject({ status: 'pending', managesEndpoint: true })
    }
    api.become('works')
    expect((await program.remove()).status).toBe(200)
  })

  test('removes the endpoint even if its signing secret was replaced', async () => {
    const program = await givenStripe()
    await program.put({ apiKey: 'rk_live_1' })
    expect((await program.put({ webhookSecret: 'whsec_rolled' })).body.data).toMatchObject({
      status: 'pending',
      managesEndpoint: true,
      hasApiKey: true,
    })
    expect((await program.remove()).status).toBe(200)
    expect(api.endpoints.size).toBe(0)
  })

  test('comes before another account, so that the endpoint does not stay behind', async () => {
    const program = await givenStripe()
    await program.put({ apiKey: 'rk_live_1', accountId: 'acct_1' })
    const other = { webhookSecret: 'whsec_other', accountId: 'acct_2' }
    expectRefusal(await program.put(other), 409, 'conflict')
    expectRefusal(await program.owner.call('PUT', `${program.api}/processor`, other), 409, 'conflict')
    expect(await program.connection()).toMatchObject({ accountId: 'acct_1', managesEndpoint: true })
    expect((await program.remove()).status).toBe(200)
    expect(api.endpoints.size).toBe(0)
    expect((await program.put(other)).body.data).toMatchObject({ accountId: 'acct_2', managesEndpoint: false })
  })

  test('works with a key that was revoked', async () => {
    const program = await givenStripe()
    await program.put({ apiKey: 'rk_live_1' })
    api.become(401)
    expect((await program.remove()).body.data).toMatchObject({ status: 'disconnected' })
  })
})
