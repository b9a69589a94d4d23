import { describe, expect, test } from 'bun:test'
import { givenClick, unique } from '../../support/given.ts'
import { testEventsOf } from '../../support/records.ts'
import { givenService } from '../../support/shared-service.ts'
import { contentOf, eventIn, givenPaddle } from './given-paddle.ts'

const service = await givenService()
const MONTH_MS = 30 * 86_400_000

describe('a payment at Paddle', () => {
  test('is one sale, net of tax, credited to the click in its custom data', async () => {
    const program = await givenPaddle(service)
    const { name, metadata, deliveries } = await program.payment({ priceCents: 10_000, taxBps: 2_000 })
    await program.send(deliveries)
    const { transaction, invoice } = program.fake.namesOf(name)
    expect(await program.sales()).toMatchObject([
      {
        invoiceId: transaction as string,
        amountCents: 10_000,
        currency: 'USD',
        partnerId: program.link.partnerId,
        customerKey: metadata.service_customer_key,
        clickId: metadata.service_click_id,
        subscriptionId: null,
      },
    ])
    expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
    const completed = eventIn(deliveries, 'transaction.completed')
    expect(await program.event(completed.id)).toMatchObject({
      fate: 'applied',
      reason: 'payment_recorded',
      references: [transaction, invoice],
    })
    expect(await program.connection()).toMatchObject({ status: 'connected' })
  })

  test.each([
    ['exclusive of tax', false, 10_000],
    ['inclusive of tax', true, 8_333],
  ])('with a price %s earns on the net amount', async (_, taxInclusive, netCents) => {
    const program = await givenPaddle(service)
    await program.send((await program.payment({ priceCents: 10_000, taxBps: 2_000, taxInclusive })).deliveries)
    expect(await program.sales()).toMatchObject([{ amountCents: netCents }])
  })

  test('with a discount earns on what is left', async () => {
    const program = await givenPaddle(service)
    const price = { priceCents: 10_000, discountCents: 4_000, discountCode: 'SAM40', taxBps: 2_000 }
    await program.send((await program.payment(price)).deliveries)
    expect(await program.sales()).toMatchObject([{ amountCents: 6_000 }])
  })

  test('in yen has no decimals', async () => {
    const program = await givenPaddle(service)
    const { name, deliveries } = await program.payment({ priceCents: 4_900, taxBps: 1_000, currency: 'JPY' })
    await program.send(deliveries)
    await program.send(program.fake.refund(name, { cents: 2_695 }))
    expect(await program.sales()).toMatchObject([{ amountCents: 4_900, currency: 'JPY' }])
    expect(await program.earned('JPY')).toEqual({ commissions: 1, cents: 490, reversed: 245 })
  })

  test('that credit covered in part earns on the rest, because the credit was paid before', async () => {
    const program = await givenPaddle(service)
    const { deliveries } = await program.payment({ priceCents: 10_000, taxBps: 2_000 })
    const event = contentOf(eventIn(deliveries, 'transaction.completed'))
    Object.assign(event.data.details.totals, { credit: '9000', grand_total: '3000', grand_total_tax: '500' })
    await program.send([program.fake.deliver(JSON.stringify(event))])
    expect(await program.sales()).toMatchObject([{ amountCents: 2_500 }])
  })

  test('of a downgrade that only gives credit is no sale', async () => {
    const program = await givenPaddle(service)
    const { deliveries } = await program.payment({ priceCents: 10_000, taxBps: 2_000 })
    const event = contentOf(eventIn(deliveries, 'transaction.completed'))
    const totals = { subtotal: '-2000', tax: '-400', total: '-2400', credit_to_balance: '2400', grand_total: '0' }
    Object.assign(event.data.details.totals, totals)
    await program.send([program.fake.deliver(JSON.stringify(event))])
    expect(await program.event(event.event_id)).toMatchObject({ fate: 'ignored', reason: 'nothing_paid' })
    expect(await program.sales()).toEqual([])
  })

  test('without a program in its custom data belongs to the program of the endpoint', async () => {
    const program = await givenPaddle(service)
    const service_click_id = await givenClick(service, program.link)
    service.clock.advance(1_000)
    await program.send(program.fake.checkout(unique('payment'), { metadata: { service_click_id } }))
    expect(await program.sales()).toMatchObject([{ partnerId: program.link.partnerId }])
  })

  test('that the server reports too is one sale, by the transaction or by its own invoice ID in the custom data', async () => {
    const program = await givenPaddle(service)
    const { name, metadata, deliveries } = await program.payment({ priceCents: 5_000 })
    const customer_key = metadata.service_customer_key
    const invoice_id = program.fake.namesOf(name).transaction
    await program.sale({ customer_key, click_id: metadata.service_click_id, amount: 5_000, invoice_id })
    await program.send(deliveries)
    expect(await program.sales()).toHaveLength(1)
    const stated = { ...metadata, service_invoice_id: '2026-0042' }
    await program.send(program.fake.checkout(unique('payment'), { metadata: stated, priceCents: 5_000 }))
    await program.sale({ customer_key, amount: 5_000, invoice_id: '2026-0042' })
    expect(await program.sales()).toHaveLength(2)
    expect(await program.earned()).toMatchObject({ commissions: 2, cents: 1_000 })
  })

  test('delivered several times, also concurrently, is one sale', async () => {
    const program = await givenPaddle(service)
    const completed = eventIn((await program.payment()).deliveries, 'transaction.completed')
    const answers = await Promise.all(Array.from({ length: 5 }, () => program.deliver(completed)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(answers.filter(({ body }) => body.duplicate)).toHaveLength(4)
    // Another event about the same transaction, as Paddle's dashboard sends it again.
    const again = { ...contentOf(completed), event_id: unique('evt') }
    await program.send([program.fake.deliver(JSON.stringify(again))])
    expect(await program.sales()).toHaveLength(1)
    expect(await program.earned()).toMatchObject({ commissions: 1 })
  })

  test('of the webhook simulator is a test and moves no money', async () => {
    const program = await givenPaddle(service)
    const { deliveries } = await program.payment()
    const event = contentOf(eventIn(deliveries, 'transaction.completed'))
    const simulated = { ...event, event_id: 'ntfsimevt_01jd00tmxmnjwedtm67q3rsasd' }
    await program.send([program.fake.deliver(JSON.stringify(simulated))])
    expect(await program.event(simulated.event_id)).toMatchObject({ test: true, reason: 'test_sale' })
    expect(await testEventsOf(service, program.id)).toMatchObject([{ eventType: 'sale' }])
    expect(await program.sales()).toEqual([])
  })
})

describe('a sandbox account', () => {
  test('moves no money, also when its events are replayed', async () => {
    const program = await givenPaddle(service, { test: true })
    expect(await program.connection()).toMatchObject({ test: true })
    const { name, deliveries } = await program.payment()
    await program.send([...deliveries, ...program.fake.refund(name), ...program.fake.dispute(name, 'opened')])
    const events = await program.events()
    expect(events.every(({ test }) => test)).toBe(true)
    expect(new Set(events.map(({ reason }) => reason))).toEqual(
      new Set(['test_sale', 'test_mode', 'other_event', 'refund_pending']),
    )
    const replay = { since: '2026-01-01', dryRun: false }
    const { body } = await program.owner.call('POST', `${program.api}/processor/replay`, replay)
    expect(body.data).toMatchObject({ events: events.length, changes: [], sales: [] })
    expect(await program.sales()).toEqual([])
    expect(await testEventsOf(service, program.id)).toMatchObject([{ eventType: 'sale' }])
  })

  test('replaced by the live one starts over, with another secret', async () => {
    const program = await givenPaddle(service, { test: true })
    await program.send((await program.payment()).deliveries)
    expect(await program.connect({ test: false })).toMatchObject({ status: 400 })
    expect(await program.connect({ test: false, webhookSecret: program.liveSecret })).toMatchObject({ status: 200 })
    expect(await program.connection()).toMatchObject({ status: 'pending', test: false })
    for (const delivery of (await program.payment()).deliveries)
      expect(await program.deliver(program.fake.sign(delivery, { secrets: [program.liveSecret] }))).toMatchObject({
        status: 200,
      })
    expect(await program.sales()).toHaveLength(1)
  })
})

describe('a subscription at Paddle', () => {
  const subscribe = async (more: object = {}) => {
    const program = await givenPaddle(service)
    const payment = await program.payment({ mode: 'subscription', priceCents: 2_000, taxBps: 2_000, ...more })
    await program.send(payment.deliveries)
    return { program, ...payment }
  }

  test('earns on every renewal, which repeats the custom data', async () => {
    const { program, name, metadata } = await subscribe()
    for (const as of [unique('second'), unique('third')]) {
      service.clock.advance(MONTH_MS)
      await program.send(program.fake.renew(name, as))
    }
    const { subscription } = program.fake.namesOf(name)
    const sales = await program.sales()
    expect(sales).toHaveLength(3)
    for (const sale of sales)
      expect(sale).toMatchObject({
        amountCents: 2_000,
        subscriptionId: subscription as string,
        customerKey: metadata.service_customer_key,
        partnerId: program.link.partnerId,
      })
    expect(await program.earned()).toEqual({ commissions: 3, cents: 600, reversed: 0 })
  })

  test('whose custom data states the merchant’s invoice means the first payment only', async () => {
    const program = await givenPaddle(service)
    const metadata = { ...(await program.visitor()), service_invoice_id: 'order-77' }
    const name = unique('payment')
    await program.send(program.fake.checkout(name, { mode: 'subscription', metadata, priceCents: 2_000 }))
    service.clock.advance(MONTH_MS)
    await program.send(program.fake.renew(name, unique('second')))
    await program.sale({ customer_key: metadata.service_customer_key, amount: 2_000, invoice_id: 'order-77' })
    expect(await program.sales()).toHaveLength(2)
  })

  test('upgraded in the middle of a month earns on the prorated difference, then on the new price', async () => {
    const { program, name } = await subscribe()
    service.clock.advance(MONTH_MS / 2)
    const upgraded = unique('upgrade')
    await program.send(program.fake.upgrade(name, upgraded, { priceCents: 5_000, chargeCents: 1_500 }))
    service.clock.advance(MONTH_MS / 2)
    await program.send(program.fake.renew(upgraded, unique('renewal')))
    expect((await program.sales()).map(({ amountCents }) => amountCents)).toEqual([2_000, 1_500, 5_000])
  })

  test('canceled or ended keeps its sales', async () => {
    const { program, name } = await subscribe()
    await program.send(program.fake.cancel(name))
    const ended = program.fake.end(name)
    await program.send(ended)
    expect(await program.event(eventIn(ended, 'subscription.canceled').id)).toMatchObject({
      fate: 'ignored',
      reason: 'subscription_ended',
    })
    expect(await program.earned()).toEqual({ commissions: 1, cents: 200, reversed: 0 })
  })

  test('that starts with a trial earns with its first payment', async () => {
    const { program, name, deliveries } = await subscribe({ trialDays: 14 })
    expect(await program.event(eventIn(deliveries, 'transaction.completed').id)).toMatchObject({
      fate: 'ignored',
      reason: 'nothing_paid',
    })
    expect(await program.sales()).toEqual([])
    service.clock.advance(MONTH_MS)
    await program.send(program.fake.renew(name, unique('first')))
    expect(await program.earned()).toEqual({ commissions: 1, cents: 200, reversed: 0 })
  })
})
