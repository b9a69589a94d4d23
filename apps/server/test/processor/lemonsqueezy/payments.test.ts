import { describe, expect, test } from 'bun:test'
import { unique } from '../../support/given.ts'
import { givenService } from '../../support/shared-service.ts'
import { eventOf, givenLemonSqueezy, type Store, withContent } from './given-lemonsqueezy.ts'

const service = await givenService()
const given = (options: Parameters<typeof givenLemonSqueezy>[1] = {}) => givenLemonSqueezy(service, options)
const MONTH_MS = 30 * 86_400_000
const SUBSCRIPTION = { mode: 'subscription', priceCents: 10_000, taxBps: 1_900 } as const

describe('a one-time payment', () => {
  test('is one sale, net of tax, credited to the click in its custom data', async () => {
    const store = await given()
    const { deliveries, metadata, names } = await store.checkout({ priceCents: 10_000, taxBps: 2_000 })
    await store.send(...deliveries)
    expect(await store.sales()).toMatchObject([
      {
        invoiceId: names.identifier as string,
        amountCents: 10_000,
        currency: 'USD',
        partnerId: store.link.partnerId,
        customerKey: metadata.service_customer_key,
        clickId: metadata.service_click_id,
      },
    ])
    expect(await store.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
    expect(await store.events()).toMatchObject([
      { fate: 'applied', references: [names.identifier, `lemonsqueezy:71043:order:${names.order}`] },
    ])
  })

  test.each([
    ['without tax, which is added', false, 10_000],
    ['with tax', true, 8_333],
  ])('at a price %s earns on the net amount', async (_, taxInclusive, amountCents) => {
    const store = await given()
    await store.send(...(await store.checkout({ priceCents: 10_000, taxBps: 2_000, taxInclusive })).deliveries)
    expect(await store.sales()).toMatchObject([{ amountCents }])
  })

  test('in another currency is in that currency, not in dollars', async () => {
    const store = await given()
    await store.send(...(await store.checkout({ priceCents: 10_000, currency: 'EUR' })).deliveries)
    expect(await store.sales()).toMatchObject([{ amountCents: 10_000, currency: 'EUR' }])
  })

  test.each([1, 100] as const)('in yen whose amounts are multiplied by %i is the amount shown', async (yenFactor) => {
    const store = await given({ fake: { yenFactor } })
    const { name, deliveries } = await store.checkout({ priceCents: 4_900, taxBps: 1_000, currency: 'JPY' })
    await store.send(...deliveries, ...store.fake.refund(name, { cents: 2_695 }))
    expect(await store.sales()).toMatchObject([{ amountCents: 4_900, currency: 'JPY' }])
    expect(await store.earned()).toEqual({ commissions: 1, cents: 490, reversed: 245 })
  })

  test.each([
    ['¥4,900.00', 490_000, 4_900],
    ['4 900 ¥', 490_000, 4_900],
    ['¥49', 4_900, 49],
    [undefined, 4_900, 4_900],
    ['free text', 4_900, 4_900],
    ['¥4,800', 490_000, 490_000],
  ])('in yen with the text %s for %i is %i', async (text, total, amountCents) => {
    const store = await given()
    const { deliveries } = await store.checkout({ priceCents: 4_900, currency: 'JPY' })
    await store.send(
      withContent(eventOf(deliveries, 'order_created'), ({ data }) => {
        Object.assign(data.attributes, { total, total_formatted: text })
      }),
    )
    expect(await store.sales()).toMatchObject([{ amountCents, currency: 'JPY' }])
  })

  test('with a discount of 100 % is no sale', async () => {
    const store = await given()
    await store.send(...(await store.checkout({ priceCents: 4_900, discountCents: 4_900 })).deliveries)
    expect(await store.events()).toMatchObject([{ fate: 'ignored', reason: 'nothing_paid' }])
    expect(await store.sales()).toEqual([])
  })

  test('that is pending waits, and one that failed is no sale', async () => {
    const store = await given()
    for (const [status, reason] of [
      ['pending', 'payment_pending'],
      ['failed', 'payment_failed'],
    ]) {
      const { deliveries } = await store.checkout()
      await store.send(
        withContent(eventOf(deliveries, 'order_created'), ({ data }) => {
          data.attributes.status = status
        }),
      )
      expect(await store.events()).toMatchObject(expect.arrayContaining([expect.objectContaining({ reason })]))
    }
    expect(await store.sales()).toEqual([])
  })

  test('without custom data is kept, and says that no partner can be credited', async () => {
    const store = await given()
    await store.send(...store.fake.checkout(unique('payment')))
    expect(await store.events()).toMatchObject([{ fate: 'ignored', reason: 'no_metadata' }])
  })

  test('whose custom data has no program belongs to the program of the endpoint', async () => {
    const store = await given()
    const { program_id: _, ...metadata } = await store.visitor()
    await store.send(...store.fake.checkout(unique('payment'), { metadata }))
    expect(await store.earned()).toEqual({ commissions: 1, cents: 490, reversed: 0 })
  })
})

describe('a subscription', () => {
  test('is one sale for its order and first invoice, and one for each renewal', async () => {
    const store = await given()
    const { name, deliveries, metadata, names } = await store.checkout(SUBSCRIPTION)
    await store.send(...deliveries)
    expect(await store.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
    service.clock.advance(MONTH_MS)
    await store.send(...store.fake.renew(name, unique('renewal')))
    service.clock.advance(MONTH_MS)
    await store.send(...store.fake.renew(name, unique('renewal')))
    const sale = { customerKey: metadata.service_customer_key, subscriptionId: names.subscription as string }
    expect(await store.sales()).toMatchObject([sale, sale, sale])
    expect(await store.earned()).toEqual({ commissions: 3, cents: 3_000, reversed: 0 })
  })

  test('counts the setup fee, which only the order contains', async () => {
    const store = await given()
    const { deliveries } = await store.checkout(SUBSCRIPTION)
    const [created, ...others] = deliveries
    const withFee = withContent(created as never, ({ data }) => {
      Object.assign(data.attributes, { setup_fee: 5_000, total: data.attributes.total + 5_000 })
    })
    await store.send(...others, withFee)
    expect(await store.sales()).toMatchObject([{ amountCents: 15_000 }])
    expect(await store.earned()).toEqual({ commissions: 1, cents: 1_500, reversed: 0 })
  })

  test('whose creation was lost has one sale again after any later event of the subscription', async () => {
    const store = await given()
    const { name, deliveries } = await store.checkout(SUBSCRIPTION)
    await store.send(eventOf(deliveries, 'order_created'), eventOf(deliveries, 'subscription_payment_success'))
    service.clock.advance(MONTH_MS)
    await store.send(eventOf(store.fake.renew(name, unique('renewal')), 'subscription_updated'))
    expect(await store.sales()).toHaveLength(1)
    const commissions = await store.earned()
    expect(commissions.cents - commissions.reversed).toBe(1_000)
  })

  test('with a trial takes no money first; what follows the trial is a sale', async () => {
    const store = await given()
    const { name, deliveries } = await store.checkout({ ...SUBSCRIPTION, trialDays: 14 })
    await store.send(...deliveries)
    expect(await store.sales()).toEqual([])
    expect(await store.events('?type=order_created')).toMatchObject([{ reason: 'nothing_paid' }])
    service.clock.advance(14 * 86_400_000)
    await store.send(...store.fake.renew(name, unique('first')))
    expect(await store.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
  })

  test('that is upgraded pays for the difference, and then renews at the new price', async () => {
    const store = await given()
    const { name, deliveries } = await store.checkout(SUBSCRIPTION)
    await store.send(...deliveries)
    await store.send(...store.fake.upgrade(name, unique('upgrade'), { priceCents: 20_000, chargeCents: 5_000 }))
    expect(await store.earned()).toEqual({ commissions: 2, cents: 1_500, reversed: 0 })
    service.clock.advance(MONTH_MS)
    await store.send(...store.fake.renew(name, unique('renewal')))
    expect((await store.sales()).map(({ amountCents }) => amountCents)).toEqual([10_000, 5_000, 20_000])
  })

  test('that is cancelled and has expired keeps its sales, and says so', async () => {
    const store = await given()
    const { name, deliveries } = await store.checkout(SUBSCRIPTION)
    await store.send(...deliveries, ...store.fake.cancel(name), ...store.fake.end(name))
    for (const type of ['subscription_cancelled', 'subscription_expired'])
      expect(await store.events(`?type=${type}`)).toMatchObject([{ fate: 'ignored', reason: 'subscription_ended' }])
    expect(await store.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
  })

  test('whose payment fails is told so; the recovered payment is one sale', async () => {
    const store = await given()
    const { name, deliveries } = await store.checkout(SUBSCRIPTION)
    await store.send(...deliveries)
    service.clock.advance(MONTH_MS)
    const success = eventOf(store.fake.renew(name, unique('renewal')), 'subscription_payment_success')
    const as = (type: string, status: string) =>
      withContent(success, ({ meta, data }) => {
        meta.event_name = type
        data.attributes.status = status
      })
    await store.send(as('subscription_payment_failed', 'pending'))
    expect(await store.events('?type=subscription_payment_failed')).toMatchObject([{ reason: 'payment_failed' }])
    await store.send(success, as('subscription_payment_recovered', 'paid'))
    expect(await store.sales()).toHaveLength(2)
  })
})

describe('the merchant’s own report', () => {
  const report = (store: Store, invoice_id: string, customer_key: string) =>
    store.sale({ customer_key, amount: 10_000, currency: 'USD', invoice_id })

  test.each([true, false])('under the order’s identifier is the same sale (merchant first: %p)', async (isFirst) => {
    const store = await given()
    const { deliveries, metadata, names } = await store.checkout({ priceCents: 10_000 })
    const own = () => report(store, names.identifier as string, metadata.service_customer_key)
    if (isFirst) expect((await own()).status).toBe(200)
    await store.send(...deliveries)
    if (!isFirst) expect((await own()).status).toBe(409)
    expect(await store.sales()).toHaveLength(1)
    expect(await store.earned()).toMatchObject({ cents: 1_000, reversed: 0 })
  })

  test('under a number never joins, whichever of the processor’s numbers it is', async () => {
    const store = await given()
    const { deliveries, metadata, names } = await store.checkout(SUBSCRIPTION)
    await store.send(...deliveries)
    for (const number of [names.order, names.invoice, names.subscription])
      expect((await report(store, number as string, metadata.service_customer_key)).status).toBe(200)
    expect(await store.sales()).toHaveLength(4)
  })

  test.each([
    '1001',
    'inv-7',
    '8f14e45f-ceea-467f-a9d2-3c1b2f0d9a11',
  ])('under the ID %s that the custom data states is the same sale, and renewals are not', async (service_invoice_id) => {
    const store = await given()
    const name = unique('payment')
    const metadata = { ...(await store.visitor()), service_invoice_id }
    const deliveries = store.fake.checkout(name, { ...SUBSCRIPTION, metadata })
    expect((await report(store, service_invoice_id, metadata.service_customer_key)).status).toBe(200)
    await store.send(...deliveries)
    expect(await store.sales()).toHaveLength(1)
    service.clock.advance(MONTH_MS)
    await store.send(...store.fake.renew(name, unique('renewal')))
    expect(await store.sales()).toHaveLength(2)
  })
})
