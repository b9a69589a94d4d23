import { describe, expect, test } from 'bun:test'
import { MAX_EVENT_BYTES } from '@tributary/contract'
import { expectRefusal } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'
import { givenProcessor, TEN_PERCENT } from './given-processor.ts'
import { addTestProcessors, booth, givenTill, postRaw, signed } from './given-till.ts'

addTestProcessors()
const service = await givenService()

describe('the payment processors of a program', () => {
  test('are all listed, with what is needed to connect them', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const { body } = await program.owner.call('GET', `${program.api}/processors`)
    const names = body.data.map(({ processor }: { processor: string }) => processor)
    expect(names).toEqual(expect.arrayContaining(['stripe', 'till', 'booth']))
    for (const row of body.data)
      expect(row).toMatchObject({
        status: 'not_connected',
        accountId: null,
        endpointUrl: `http://localhost:3000/api/v1/processor/${row.processor}/webhook/${program.id}`,
        setUp: { steps: expect.any(Array), secret: { label: expect.any(String) } },
      })
    const { eventTypes } = body.data.find(({ processor }: { processor: string }) => processor === 'till')
    expect(eventTypes).toEqual(
      ['paid', 'refunded', 'fraudulent'].map((type) => ({ type, subscribed: false, lastSeenAt: null })),
    )
  })

  test('that no one knows answer 404', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const path = `${program.api}/processors/cash`
    expectRefusal(await program.owner.call('PUT', path, { webhookSecret: 'till_1' }), 404, 'not_found')
    expectRefusal(await program.owner.call('DELETE', path), 404, 'not_found')
    expectRefusal(await postRaw(service, `/api/v1/processor/cash/webhook/${program.id}`, '{}', {}), 404, 'not_found')
  })

  test('are connected by the first correctly signed event, which marks its type', async () => {
    const program = await givenTill(service)
    expect(await program.connection()).toMatchObject({ status: 'pending', connectedAt: null })
    await program.send(await program.paid())
    const connection = await program.connection()
    expect(connection).toMatchObject({ status: 'connected', accountId: '1', secretConfirmedAt: expect.any(String) })
    expect(connection.eventTypes).toMatchObject([
      { type: 'paid', subscribed: true, lastSeenAt: expect.any(String) },
      { type: 'refunded', subscribed: false, lastSeenAt: null },
      { type: 'fraudulent', subscribed: false, lastSeenAt: null },
    ])
  })

  test('need a secret of their own shape', async () => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    const put = (body: object) => program.owner.call('PUT', `${program.api}/processors/till`, body)
    for (const body of [{}, { webhookSecret: 'whsec_1' }, { webhookSecret: '' }, { accountId: '1' }])
      expectRefusal(await put(body), 400, 'invalid_request')
    expectRefusal(await put({ webhookSecret: 'till_1', nextWebhookSecret: 'whsec_1' }), 400, 'invalid_request')
    expectRefusal(await put({ webhookSecret: 'till_1', accountId: 'one' }), 400, 'invalid_request')
    expect((await program.owner.call('GET', `${program.api}/processors`)).body.data.at(-1).status).toBe('not_connected')
  })

  test('can be several at once; the status endpoint shows the best connection', async () => {
    const program = await givenProcessor(service)
    const status = async () => (await program.status()).statistics.payments.processorConnectionStatus
    const other = await givenTill(service, { program })
    expect(await status()).toBe('pending')
    await other.send(await other.paid())
    expect(await status()).toBe('connected')
    expect(await program.connection()).toMatchObject({ status: 'pending' })
    await program.send((await program.payment()).completed())
    expect(await other.sales()).toHaveLength(2)
    await other.remove()
    expect(await status()).toBe('connected')
    expect(await program.connection()).toMatchObject({ status: 'connected' })
  })
})

describe('a sandbox endpoint', () => {
  test('reports tests only, also when its events are read again, and is changed with its secret', async () => {
    const program = await givenTill(service)
    expectRefusal(await program.put({ test: true }), 400, 'invalid_request')
    expect((await program.put({ webhookSecret: program.secret, test: true })).body.data).toMatchObject({ test: true })
    await program.send(await program.paid())
    expect(await program.events()).toMatchObject([{ reason: 'test_sale', test: true }])
    const body = { since: '2020-01-01', dryRun: false }
    expect((await program.owner.call('POST', `${program.api}/processor/replay`, body)).body.data.sales).toEqual([])
    expect(await program.sales()).toEqual([])
    await program.put({ webhookSecret: 'till_live', test: false })
    expect((await program.deliver(await program.paid({ order: '1002', store: '2' }), { by: 'till_live' })).status).toBe(
      200,
    )
    expect(await program.sales()).toHaveLength(1)
    const stripe = await givenProcessor(service)
    const put = (test: boolean) =>
      stripe.owner.call('PUT', `${stripe.api}/processors/stripe`, { webhookSecret: stripe.secret, test })
    expectRefusal(await put(true), 400, 'invalid_request')
    expect((await put(false)).status).toBe(200)
  })
})

describe('an API key', () => {
  test('is accepted only where it has a use, is never returned, and survives a new secret of the same account', async () => {
    const program = await givenProcessor(service)
    const till = await givenTill(service, { program })
    expectRefusal(await till.put({ apiKey: 'key_1' }), 400, 'invalid_request')
    const put = (body: object) => program.owner.call('PUT', `${program.api}/processors/stripe`, body)
    expectRefusal(await put({ apiKey: 'pk_live_1' }), 400, 'invalid_request')
    const { body } = await put({ apiKey: 'rk_live_secret' })
    expect(body.data).toMatchObject({ status: 'pending', hasApiKey: true })
    expect(JSON.stringify(body)).not.toContain('rk_live_secret')
    expect((await put({ webhookSecret: 'whsec_new' })).body.data).toMatchObject({ hasApiKey: true })
    await put({ accountId: 'acct_1' })
    const other = { webhookSecret: 'whsec_other', accountId: 'acct_2' }
    expect((await put(other)).body.data).toMatchObject({ hasApiKey: false, accountId: 'acct_2' })
    expectRefusal(await put({ accountId: 'acct_3' }), 400, 'invalid_request')
  })
})

describe('a signing secret', () => {
  test('that is replaced starts over as pending, and the old one is refused', async () => {
    const program = await givenTill(service)
    await program.send(await program.paid())
    await program.put({ webhookSecret: 'till_new' })
    expect(await program.connection()).toMatchObject({ status: 'pending', accountId: '1', secretConfirmedAt: null })
    expectRefusal(await program.deliver(await program.paid()), 400, 'invalid_signature')
    expect((await program.deliver(await program.paid({ order: '1002' }), { by: 'till_new' })).status).toBe(200)
    expect(await program.connection()).toMatchObject({ status: 'connected' })
  })

  test('sent again changes nothing', async () => {
    const program = await givenTill(service)
    await program.send(await program.paid())
    await program.put({ webhookSecret: program.secret })
    expect(await program.connection()).toMatchObject({ status: 'connected' })
  })

  test('that comes next is accepted beside the current one, and its first event makes it the current one', async () => {
    const program = await givenTill(service)
    await program.send(await program.paid())
    await program.put({ webhookSecret: program.secret, nextWebhookSecret: 'till_next' })
    expect(await program.connection()).toMatchObject({ status: 'connected', hasNextSecret: true })
    await program.send(await program.paid({ order: '1002' }))
    expect((await program.deliver(await program.paid({ order: '1003' }), { by: 'till_next' })).status).toBe(200)
    expect(await program.connection()).toMatchObject({ status: 'connected', hasNextSecret: false })
    expectRefusal(await program.deliver(await program.paid({ order: '1004' })), 400, 'invalid_signature')
    expect((await program.deliver(await program.paid({ order: '1005' }), { by: 'till_next' })).status).toBe(200)
    expect(await program.sales()).toHaveLength(4)
  })
})

describe('an event', () => {
  test('after DELETE answers 404 and is not stored', async () => {
    const program = await givenTill(service)
    await program.send(await program.paid())
    expect((await program.remove()).body.data).toMatchObject({ status: 'disconnected' })
    expectRefusal(await program.deliver(await program.paid({ order: '1002' })), 404, 'not_found')
    expect(await program.inbox()).toHaveLength(1)
    expect(await program.sales()).toHaveLength(1)
  })

  test('for a program that is not connected, or does not exist, answers 404', async () => {
    const program = await givenTill(service)
    const path = `/api/v1/processor/booth/webhook/${program.id}`
    const headers = signed('{}', { secret: program.secret, at: service.clock.now(), id: 'msg_1' })
    expectRefusal(await postRaw(service, path, '{}', headers), 404, 'not_found')
    const unknown = '/api/v1/processor/till/webhook/987654'
    expectRefusal(await postRaw(service, unknown, '{}', headers), 404, 'program_not_found')
  })

  test('with a wrong, missing, old or early signature is refused, and nothing is stored', async () => {
    const program = await givenTill(service)
    const raw = JSON.stringify(await program.paid())
    const now = service.clock.now().getTime()
    const sign = (secret: string, seconds = 0) =>
      signed(raw, { secret, at: new Date(now + seconds * 1_000), id: 'msg_1' })
    const good = sign(program.secret)
    const attempts = [
      {},
      sign('till_other'),
      sign(program.secret, -302),
      sign(program.secret, 305),
      { ...good, 'webhook-id': 'msg_2' },
      { ...good, 'webhook-signature': 'v1,' },
      { ...good, 'webhook-signature': `v2${good['webhook-signature']?.slice(2)}` },
      { ...good, 'webhook-timestamp': '' },
    ]
    for (const headers of attempts)
      expectRefusal(await postRaw(service, program.path, raw, headers), 400, 'invalid_signature')
    expectRefusal(await postRaw(service, program.path, `${raw} `, good), 400, 'invalid_signature')
    expect(await program.inbox()).toEqual([])
    expect(await program.connection()).toMatchObject({ status: 'pending' })
    const both = {
      ...good,
      'webhook-signature': `${sign('till_other')['webhook-signature']} ${good['webhook-signature']}`,
    }
    expect((await postRaw(service, program.path, raw, both)).status).toBe(200)
  })

  test('that is signed but not a JSON object is refused, and nothing is stored', async () => {
    const program = await givenTill(service)
    for (const raw of ['nonsense', '[]', 'null', '"text"', '1', ''])
      expectRefusal(await program.deliver(raw), 400, 'invalid_json')
    expect(await program.inbox()).toEqual([])
  })

  test('that lacks the expected fields is kept with a reason, once', async () => {
    const program = await givenTill(service)
    for (const _ of [1, 2]) expect(await program.deliver('{"a":1}', { id: 'msg_odd' })).toMatchObject({ status: 200 })
    expect(await program.events()).toMatchObject([
      { id: 'msg_odd', processor: 'till', fate: 'ignored', reason: 'unreadable_event' },
    ])
  })

  test('of an unknown type, in an unknown currency or with a fraction is kept with a reason', async () => {
    const program = await givenTill(service)
    await program.send(
      { type: 'renamed', store: '1' },
      await program.paid({ currency: 'XXZ' }),
      await program.paid({ amount: 10.5 }),
    )
    const reasons = (await program.events()).map(({ reason }: { reason: string }) => reason)
    expect(reasons.toSorted()).toEqual(['amount_missing', 'amount_missing', 'amount_missing'])
    expect(await program.sales()).toEqual([])
  })

  test('larger than 8 MiB is refused before it is read', async () => {
    const program = await givenTill(service)
    const headers = signed('{}', { secret: program.secret, at: service.clock.now(), id: 'msg_1' })
    const long = 'x'.repeat(MAX_EVENT_BYTES + 1)
    expectRefusal(await postRaw(service, program.path, long, headers), 413, 'payload_too_large')
  })

  test('in test mode says what is wrong with it, as in live mode', async () => {
    const program = await givenTill(service)
    await program.send(await program.paid({ test: true, amount: 10.5 }))
    await program.send(await program.paid({ test: true, currency: 'ZZZ', order: '1002' }))
    await program.send(await program.paid({ test: true, order: '1003', metadata: { plan: 'gold' } }))
    expect(await program.events()).toMatchObject([
      { fate: 'ignored', reason: 'test_without_metadata', test: true },
      { fate: 'ignored', reason: 'amount_missing', test: true },
      { fate: 'ignored', reason: 'amount_missing', test: true },
    ])
    const events = await program.owner.call('GET', `/api/tracking/events/${program.id}?eventType=sale`)
    expect(events.body.data).toEqual([])
  })

  test('is found by its ID, processor and scope, and the ID alone is enough only if it is unique', async () => {
    const program = await givenTill(service)
    const other = await givenTill(service, { processor: booth, program })
    const id = 'msg_shared'
    const get = (query = '') => program.owner.call('GET', `${program.api}/processor/events/${id}${query}`)
    await program.deliver(await program.paid({ store: '1', order: '1' }), { id })
    expect((await get()).body.data).toMatchObject({ id, processor: 'till', scope: '1' })
    await program.deliver(await program.paid({ store: '2', order: '2' }), { id })
    await other.deliver(await other.paid({ store: '1', order: '3' }), { id })
    expect(await program.events()).toHaveLength(3)
    expectRefusal(await get(), 409, 'conflict')
    expectRefusal(await get('?processor=till'), 409, 'conflict')
    expect((await get('?processor=till&scope=2')).body.data).toMatchObject({ scope: '2', raw: { order: '2' } })
    expect((await get('?processor=booth')).body.data).toMatchObject({ processor: 'booth', raw: { order: '3' } })
    expectRefusal(await get('?processor=till&scope=3'), 404, 'not_found')
    expectRefusal(await get('?processor=cash'), 404, 'not_found')
  })

  test('in test mode is a test sale and no money', async () => {
    const program = await givenTill(service)
    await program.send(await program.paid({ test: true }))
    expect(await program.events()).toMatchObject([{ reason: 'test_sale', test: true }])
    expect(await program.sales()).toEqual([])
  })

  test('that arrives again is acknowledged and changes nothing, even 20 times at once', async () => {
    const program = await givenTill(service)
    const event = await program.paid()
    const answers = await Promise.all(Array.from({ length: 20 }, () => program.deliver(event, { id: 'msg_same' })))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(answers.filter(({ body }) => !body.duplicate)).toHaveLength(1)
    expect(await program.sales()).toHaveLength(1)
  })

  test('has an ID of its processor and store: the same ID elsewhere is another event', async () => {
    const program = await givenTill(service)
    const other = await givenTill(service, { program, processor: booth })
    for (const store of ['1', '2'])
      expect((await program.deliver(await program.paid({ store }), { id: 'msg_1' })).status).toBe(200)
    expect((await other.deliver(await program.paid(), { id: 'msg_1' })).body).toEqual({ success: true, received: true })
    expect(await program.inbox()).toHaveLength(3)
  })
})
