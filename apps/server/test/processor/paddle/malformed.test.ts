import { describe, expect, test } from 'bun:test'
import { expectRefusal, unique } from '../../support/given.ts'
import { givenService } from '../../support/shared-service.ts'
import { contentOf, eventIn, givenPaddle } from './given-paddle.ts'

const service = await givenService()

type Content = ReturnType<typeof contentOf>

const AMOUNT = 'no valid amount, or a currency we do not know'

describe('a signed event', () => {
  test.each<[string, (event: Content) => void, string, string]>([
    ['a fraction', ({ data }) => Object.assign(data.details.totals, { total: '49.90' }), 'amount_missing', AMOUNT],
    [
      'a number with a fraction',
      ({ data }) => Object.assign(data.details.totals, { total: 49.9 }),
      'amount_missing',
      AMOUNT,
    ],
    [
      'a negative amount',
      ({ data }) => Object.assign(data.details.totals, { grand_total: '-1' }),
      'amount_missing',
      AMOUNT,
    ],
    [
      'a huge amount',
      ({ data }) => Object.assign(data.details.totals, { total: '9'.repeat(30) }),
      'amount_missing',
      AMOUNT,
    ],
    ['no tax', ({ data }) => delete data.details.totals.tax, 'amount_missing', AMOUNT],
    [
      'more tax than total',
      ({ data }) => Object.assign(data.details.totals, { tax: '5000' }),
      'amount_missing',
      AMOUNT,
    ],
    ['no totals', ({ data }) => delete data.details, 'amount_missing', AMOUNT],
    [
      'an unknown currency',
      ({ data }) => Object.assign(data.details.totals, { currency_code: 'ZZZ' }),
      'amount_missing',
      AMOUNT,
    ],
    [
      'no transaction',
      ({ data }) => Object.assign(data, { id: null, invoice_id: null }),
      'no_payment_named',
      'does not name a payment',
    ],
  ])('with %s is kept and says why it did nothing', async (_, change, reason, sentence) => {
    const program = await givenPaddle(service)
    const event = contentOf(eventIn((await program.payment()).deliveries, 'transaction.completed'))
    change(event)
    expect(await program.deliver(program.fake.deliver(JSON.stringify(event)))).toMatchObject({ status: 200 })
    const [listed, ...others] = await program.events()
    expect(others).toEqual([])
    expect(listed).toMatchObject({ id: event.event_id, fate: 'ignored', reason })
    expect(listed?.sentence).toContain(sentence)
    expect(await program.sales()).toEqual([])
  })

  test.each([
    ['a refund without an amount', (event: Content) => delete event.data.totals.subtotal, 'amount_missing'],
    ['a refund of no transaction', (event: Content) => delete event.data.transaction_id, 'no_payment_named'],
    [
      'a refund in another currency',
      (event: Content) => Object.assign(event.data.totals, { currency_code: 'EUR' }),
      'refund_other_currency',
    ],
    ['an adjustment without an action', (event: Content) => delete event.data.action, 'other_event'],
  ])('about %s changes nothing and says why', async (_, change, reason) => {
    const program = await givenPaddle(service)
    const { name, deliveries } = await program.payment()
    await program.send(deliveries)
    const event = contentOf(eventIn(program.fake.refund(name), 'adjustment.updated'))
    change(event)
    await program.send([program.fake.deliver(JSON.stringify(event))])
    expect(await program.event(event.event_id)).toMatchObject({ reason })
    expect(await program.earned()).toMatchObject({ reversed: 0 })
  })

  test.each([
    ['no ID', { event_type: 'transaction.completed', data: { id: 'txn_1' } }],
    ['no type', { event_id: 'evt_1', data: { id: 'txn_1' } }],
    ['no data', { event_id: 'evt_2', event_type: 'transaction.completed' }],
    ['data that is no object', { event_id: 'evt_3', event_type: 'transaction.completed', data: [] }],
    ['nothing', {}],
  ])('with %s is kept and shown as unreadable', async (_, content) => {
    const program = await givenPaddle(service)
    expect(await program.deliver(program.fake.deliver(JSON.stringify(content)))).toMatchObject({ status: 200 })
    expect(await program.events()).toMatchObject([{ fate: 'ignored', reason: 'unreadable_event' }])
  })

  test.each(['', 'not JSON', '[]', '"text"', 'null'])('that is %p is refused and not stored', async (body) => {
    const program = await givenPaddle(service)
    expectRefusal(await program.deliver(program.fake.deliver(body)), 400, 'invalid_json')
    expect(await program.inbox()).toEqual([])
  })

  test('of an unknown type is kept, shown and ignored', async () => {
    const program = await givenPaddle(service)
    const unknown = program.fake.unknown()
    await program.send(unknown)
    expect(await program.events()).toMatchObject([
      { id: unknown[0]?.id ?? '', type: 'reticulation.splined', fate: 'ignored', reason: 'other_event' },
    ])
  })

  test('with hostile names is no more than an unknown type', async () => {
    const program = await givenPaddle(service)
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const event = { event_id: unique('evt'), event_type: name, data: { id: 'txn_1', action: name } }
      await program.send([program.fake.deliver(JSON.stringify(event))])
      const adjustment = { ...event, event_id: unique('evt'), event_type: 'adjustment.created' }
      await program.send([program.fake.deliver(JSON.stringify(adjustment))])
    }
    expect(new Set((await program.events()).map(({ reason }) => reason))).toEqual(new Set(['other_event']))
  })
})

describe('the account of a cheat', () => {
  test('cannot credit a program of another workspace', async () => {
    const [program, other] = [await givenPaddle(service), await givenPaddle(service)]
    const metadata = await other.visitor()
    const paid = program.fake.checkout(unique('payment'), { metadata })
    await program.send(paid)
    expect(await program.event(eventIn(paid, 'transaction.completed').id)).toMatchObject({
      fate: 'refused',
      reason: 'program_of_others',
    })
    expect(await other.sales()).toEqual([])
    expect(await program.sales()).toEqual([])
  })

  test('cannot take over a payment of another workspace by its IDs', async () => {
    const [program, other] = [await givenPaddle(service), await givenPaddle(service)]
    const { name, deliveries } = await other.payment()
    await other.send(deliveries)
    // Payments with equal names have equal IDs.
    await program.send(program.fake.checkout(name, { metadata: await program.visitor(), priceCents: 900 }))
    await program.send(program.fake.refund(name))
    expect(await other.sales()).toMatchObject([{ amountCents: 4_900 }])
    expect(await other.earned()).toEqual({ commissions: 1, cents: 490, reversed: 0 })
  })

  test('cannot join a payment to a sale of the server by a number', async () => {
    const program = await givenPaddle(service)
    const { service_customer_key: customer_key, ...click } = await program.visitor()
    const sale = { customer_key, click_id: click.service_click_id, amount: 5_000, invoice_id: '10566' }
    expect(await program.sale(sale)).toMatchObject({ status: 200 })
    const { name, metadata, deliveries } = await program.payment({ priceCents: 900 })
    const event = contentOf(eventIn(deliveries, 'transaction.completed'))
    Object.assign(event.data, { id: '10566', invoice_id: '10566', invoice_number: '10566' })
    await program.send([program.fake.deliver(JSON.stringify(event))])
    expect((await program.sales()).map(({ amountCents }) => amountCents)).toEqual([5_000, 900])
    expect(program.fake.find(name).metadata).toEqual(metadata)
  })

  test('cannot state the ID of another transaction as its own invoice', async () => {
    const program = await givenPaddle(service)
    const first = await program.payment({ priceCents: 5_000 })
    await program.send(first.deliveries)
    const service_invoice_id = program.fake.namesOf(first.name).transaction ?? ''
    const metadata = { ...(await program.visitor()), service_invoice_id }
    await program.send(program.fake.checkout(unique('payment'), { metadata, priceCents: 900 }))
    expect((await program.sales()).map(({ amountCents }) => amountCents)).toEqual([5_000, 900])
  })
})
