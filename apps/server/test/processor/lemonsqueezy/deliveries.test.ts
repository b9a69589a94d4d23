import { describe, expect, test } from 'bun:test'
import { createLemonSqueezy, type Delivery } from '@tributary/example-processor/fakes'
import { expectRefusal, givenProgram, unique } from '../../support/given.ts'
import { givenPayingProgram } from '../../support/money.ts'
import { givenService } from '../../support/shared-service.ts'
import { contentOf, eventOf, givenLemonSqueezy, newSecret, type Store, withContent } from './given-lemonsqueezy.ts'

const service = await givenService()
const given = (options: Parameters<typeof givenLemonSqueezy>[1] = {}) => givenLemonSqueezy(service, options)
const order = async (store: Store, purchase: object = {}) =>
  eventOf((await store.checkout({ priceCents: 10_000, taxBps: 1_900, ...purchase })).deliveries, 'order_created')

describe('a signature', () => {
  test('covers the exact bytes, and the first signed event connects the store', async () => {
    const store = await given()
    expect(await store.connection()).toMatchObject({ status: 'pending', accountId: null })
    const event = await order(store)
    expect(await store.deliver(event)).toMatchObject({ status: 200, body: { success: true, received: true } })
    const [kept] = await store.inbox()
    expect(Buffer.from(kept?.payload ?? []).equals(Buffer.from(event.body))).toBe(true)
    expect(kept).toMatchObject({ type: 'order_created', processor: 'lemonsqueezy', scope: '71043', livemode: true })
    expect(await store.connection()).toMatchObject({ status: 'connected', accountId: '71043' })
  })

  test.each<[string, (store: Store, event: Delivery) => Pick<Delivery, 'body' | 'headers'>]>([
    ['by another secret', ({ fake }, event) => fake.sign(event, { secrets: [newSecret()] })],
    ['of other bytes', (_, event) => ({ ...event, body: new Uint8Array([...event.body, 0x20]) })],
    ['of the same JSON with other spaces', (_, event) => ({ ...event, body: reformatted(event) })],
    ['that is missing', (_, event) => ({ ...event, headers: { 'content-type': 'application/json' } })],
    ['that is empty', (_, event) => ({ ...event, headers: { ...event.headers, 'x-signature': '' } })],
    ['that is cut short', (_, event) => ({ ...event, headers: cut(event, 62) })],
    [
      'that is no hexadecimal',
      (_, event) => ({ ...event, headers: { ...event.headers, 'x-signature': 'z'.repeat(64) } }),
    ],
  ])('%s is refused, and nothing is stored', async (_, forge) => {
    const store = await given()
    expectRefusal((await store.deliver(forge(store, await order(store)))) as never, 400, 'invalid_signature')
    expect(await store.inbox()).toEqual([])
    expect(await store.connection()).toMatchObject({ status: 'pending' })
  })

  test('is about the body, so another event name in the header changes nothing', async () => {
    const store = await given()
    const event = await order(store)
    await store.deliver({ ...event, headers: { ...event.headers, 'x-event-name': 'order_refunded' } })
    expect(await store.events()).toMatchObject([{ type: 'order_created', reason: 'payment_recorded' }])
  })

  test('of a call that was recorded years ago repeats an event and changes nothing', async () => {
    const store = await given()
    const event = await order(store)
    expect(await store.deliver(event)).toMatchObject({ status: 200 })
    service.clock.advance(400 * 86_400_000)
    expect(await store.deliver(event)).toMatchObject({ status: 200, body: { duplicate: true } })
    expect(await store.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
    expect(await store.inbox()).toHaveLength(1)
  })

  test('with the next secret is accepted beside the current one, and then replaces it', async () => {
    const store = await given()
    const nextWebhookSecret = newSecret()
    expect(await store.connect({ nextWebhookSecret })).toMatchObject({ status: 200 })
    const deliver = async (secret: string) => store.deliver(store.fake.sign(await order(store), { secrets: [secret] }))
    expect(await deliver(store.secret)).toMatchObject({ status: 200 })
    expect(await deliver(nextWebhookSecret)).toMatchObject({ status: 200 })
    expectRefusal((await deliver(store.secret)) as never, 400, 'invalid_signature')
    expect(await deliver(nextWebhookSecret)).toMatchObject({ status: 200 })
    expect(await store.sales()).toHaveLength(3)
  })

  test('is not enough for a program that is not connected', async () => {
    const [store, other] = [await given(), await givenProgram(service)]
    const event = await order(store)
    const elsewhere = await store.deliver(event, store.path.replace(/\d+$/, String(other.id)))
    expectRefusal(elsewhere as never, 404, 'not_found')
    expect(await store.disconnect()).toMatchObject({ status: 200 })
    expectRefusal((await store.deliver(event)) as never, 404, 'not_found')
    expect(await store.inbox()).toEqual([])
  })
})

const cut = ({ headers }: Delivery, length: number) => ({
  ...headers,
  'x-signature': String(headers['x-signature']).slice(0, length),
})
const reformatted = (event: Delivery) => new Uint8Array(Buffer.from(JSON.stringify(contentOf(event), null, 1)))

describe('an event', () => {
  test.each(['{"meta": ', '[]', '"text"', ''])('of %j is no JSON object: nothing is stored', async (body) => {
    const store = await given()
    expectRefusal((await store.deliver(store.fake.deliver(body))) as never, 400, 'invalid_json')
    expect(await store.inbox()).toEqual([])
  })

  test.each([
    '{}',
    '{"meta":{"event_name":"order_created"}}',
    '{"meta":{},"data":{"type":"orders","id":"1"}}',
    '{"meta":{"event_name":5},"data":{"type":"orders","id":"1"}}',
  ])('of %j lacks the fields of every event: kept, with the reason', async (body) => {
    const store = await given()
    expect(await store.deliver(store.fake.deliver(body))).toMatchObject({ status: 200 })
    expect(await store.events()).toMatchObject([{ fate: 'ignored', reason: 'unreadable_event' }])
  })

  test('of an unknown type is kept, ignored and shown', async () => {
    const store = await given()
    await store.send(...store.fake.unknown())
    expect(await store.events()).toMatchObject([
      { type: 'reticulation_splined', fate: 'ignored', reason: 'other_event', references: [] },
    ])
  })

  test.each<[string, Record<string, unknown>]>([
    ['an amount that is a float', { total: 119.5 }],
    ['an amount that is text', { total: '11900' }],
    ['a negative amount', { total: -11_900 }],
    ['an amount beyond the largest', { total: 1e15 }],
    ['no amount', { total: undefined }],
    ['no tax', { tax: undefined }],
    ['a tax that is a float', { tax: 19.5 }],
    ['more tax than amount', { tax: 12_000 }],
    ['a currency that nobody knows', { currency: 'ZZZ' }],
    ['no currency', { currency: null }],
  ])('with %s is kept, and says what is wrong', async (_, attributes) => {
    const store = await given()
    await store.send(
      withContent(await order(store), ({ data }) => {
        Object.assign(data.attributes, attributes)
      }),
    )
    expect(await store.events()).toMatchObject([
      {
        fate: 'ignored',
        reason: 'amount_missing',
        sentence: 'The event has no valid amount, or a currency we do not know.',
      },
    ])
    expect(await store.sales()).toEqual([])
  })

  test('without a store does not name a payment, because numbers are unique only in a store', async () => {
    const store = await given()
    await store.send(
      withContent(await order(store), ({ data }) => {
        delete data.attributes.store_id
      }),
    )
    expect(await store.events()).toMatchObject([{ fate: 'ignored', reason: 'no_payment_named' }])
  })

  test('without a time is named by its content, so a retry is still a duplicate', async () => {
    const store = await given()
    const event = withContent(await order(store), ({ data }) => {
      delete data.attributes.updated_at
    })
    await store.send(event)
    expect((await store.deliver(store.fake.sign(event))).body).toMatchObject({ duplicate: true })
  })

  test('delivered five times concurrently is one sale and one commission', async () => {
    const store = await given()
    const event = await order(store)
    const answers = await Promise.all(Array.from({ length: 5 }, () => store.deliver(event)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await store.sales()).toHaveLength(1)
    expect(await store.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
    expect(await store.inbox()).toHaveLength(1)
  })

  test('resent with new links is the same event', async () => {
    const store = await given()
    const event = await order(store)
    await store.send(event)
    const again = withContent(event, ({ meta, data }) => {
      meta.webhook_id = unique('webhook')
      data.attributes.urls.receipt += '1'
    })
    expect((await store.deliver(store.fake.sign(again))).body).toMatchObject({ duplicate: true })
  })
})

describe('test mode', () => {
  test('is recorded as a test and takes nothing from the live event with the same number', async () => {
    const store = await given()
    const live = await order(store)
    const test = withContent(live, ({ meta, data }) => {
      meta.test_mode = true
      data.attributes.test_mode = true
    })
    await store.send(test)
    expect(await store.sales()).toEqual([])
    expect(await store.events()).toMatchObject([{ test: true, fate: 'applied', reason: 'test_sale' }])
    await store.send(live)
    expect(await store.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
  })

  test.each<[string, (content: ReturnType<typeof contentOf>) => void]>([
    [
      'in the order alone',
      ({ data }) => {
        data.attributes.test_mode = true
      },
    ],
    [
      'in the envelope alone',
      ({ meta }) => {
        meta.test_mode = true
      },
    ],
    [
      'nowhere, and live nowhere either',
      ({ meta, data }) => {
        delete meta.test_mode
        delete data.attributes.test_mode
      },
    ],
  ])('that is stated %s is a test', async (_, change) => {
    const store = await given()
    await store.send(withContent(await order(store), change))
    expect(await store.events()).toMatchObject([{ test: true }])
    expect(await store.sales()).toEqual([])
  })

  test('of a refund or a subscription changes nothing', async () => {
    const store = await given({ fake: { mode: 'test' } })
    const { name, deliveries } = await store.checkout({ mode: 'subscription' })
    await store.send(...deliveries, ...store.fake.refund(name), ...store.fake.end(name))
    expect(await store.sales()).toEqual([])
    expect((await store.events()).every(({ test }) => test)).toBe(true)
  })
})

describe('a foreign event', () => {
  test('of another store is kept and refused', async () => {
    const store = await given({ connect: { accountId: '71043' } })
    const other = createStore(store, '99001')
    await store.send(...other.checkout(unique('payment'), { metadata: await store.visitor() }))
    expect(await store.events()).toMatchObject([{ fate: 'refused', reason: 'foreign_account' }])
    expect(await store.sales()).toEqual([])
  })

  test('of another store is refused after the first event has named the store', async () => {
    const store = await given()
    await store.send(await order(store))
    await store.send(...createStore(store, '99001').checkout(unique('payment'), { metadata: await store.visitor() }))
    expect(await store.events('?fate=refused')).toMatchObject([{ reason: 'foreign_account' }])
    expect(await store.sales()).toHaveLength(1)
  })

  test('that names a program of another workspace is credited to no one', async () => {
    const [store, victim] = [await given(), await givenPayingProgram(service, null)]
    const metadata = { ...(await store.visitor()), program_id: String(victim.id) }
    await store.send(...store.fake.checkout(unique('payment'), { metadata }))
    expect(await store.events()).toMatchObject([{ fate: 'refused', reason: 'program_of_others' }])
    expect(await victim.commissions()).toEqual([])
    expect(await store.sales()).toEqual([])
  })

  test('with the number of another store’s order is another payment', async () => {
    const first = await given()
    const second = await given({ fake: { account: '99001' } })
    const metadata = await first.visitor()
    const name = unique('payment')
    await first.send(...first.fake.checkout(name, { metadata }))
    await second.send(...second.fake.checkout(name, { metadata: await second.visitor() }))
    expect(await first.sales()).toHaveLength(1)
    expect(await second.sales()).toHaveLength(1)
  })
})

const createStore = ({ secret }: Store, account: string) =>
  createLemonSqueezy({ secret, account, now: () => service.clock.now().getTime() })

test('the dashboard lists exact steps and the events to subscribe to, each marked when it was seen', async () => {
  const store = await given()
  await store.send(await order(store))
  const { eventTypes, endpointUrl, setUp } = await store.connection()
  expect(endpointUrl).toEndWith(store.path)
  expect(setUp).toMatchObject({ secret: { label: 'Signing secret' }, account: { label: 'Store ID' } })
  expect(setUp.steps).toHaveLength(4)
  const seen = eventTypes.filter(({ lastSeenAt }: { lastSeenAt: string | null }) => lastSeenAt)
  expect(seen.map(({ type }: { type: string }) => type)).toEqual(['order_created'])
  const sent = new Set([...(await store.checkout({ mode: 'subscription' })).deliveries].map(({ type }) => type))
  const listed = eventTypes.map(({ type }: { type: string }) => type)
  for (const type of sent) expect(listed).toContain(type)
})

test.each(['short', ' padded-secret ', ''])('a secret of %j is not accepted', async (webhookSecret) => {
  const program = await givenPayingProgram(service, null)
  const { status, body } = await program.owner.call('PUT', `${program.api}/processors/lemonsqueezy`, { webhookSecret })
  if (webhookSecret.trim().length >= 6) expect(status).toBe(200)
  else expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'invalid_request' })
})
