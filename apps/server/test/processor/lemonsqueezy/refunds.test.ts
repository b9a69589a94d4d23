import { describe, expect, test } from 'bun:test'
import { representativeOrders } from '../../payments/orders.ts'
import { unique } from '../../support/given.ts'
import { givenService } from '../../support/shared-service.ts'
import { givenLemonSqueezy, type Store, withContent } from './given-lemonsqueezy.ts'

const service = await givenService()
const given = () => givenLemonSqueezy(service)
const MONTH_MS = 30 * 86_400_000
const SUBSCRIPTION = { mode: 'subscription', priceCents: 10_000, taxBps: 1_900 } as const

describe('a refund', () => {
  test('in two parts takes back the sum, not the sum of sums', async () => {
    const store = await given()
    const { name, deliveries } = await store.checkout({ priceCents: 10_000, taxBps: 1_900 })
    await store.send(...deliveries)
    await store.send(...store.fake.refund(name, { cents: 1_190 }))
    expect(await store.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 100 })
    await store.send(...store.fake.refund(name, { cents: 595 }))
    expect(await store.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 150 })
    await store.send(...store.fake.refund(name))
    expect(await store.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 1_000 })
  })

  test('in two parts within the same second counts both', async () => {
    const store = await given()
    const { name, deliveries } = await store.checkout({ priceCents: 10_000 })
    const [first] = store.fake.refund(name, { cents: 1_000 })
    const [second] = store.fake.refund(name, { cents: 2_000 })
    const at = '2026-11-19T13:00:00.000000Z'
    const together = [first, second].map((event) =>
      withContent(event as never, ({ data }) => {
        data.attributes.updated_at = at
      }),
    )
    await store.send(...deliveries, ...together)
    expect(await store.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 300 })
  })

  test('of a first payment is reported by the order and the invoice, and counts once', async () => {
    const store = await given()
    const { name, deliveries } = await store.checkout(SUBSCRIPTION)
    const parts = [store.fake.refund(name, { cents: 1_190 }), store.fake.refund(name, { cents: 595 })].flat()
    expect(parts).toHaveLength(4)
    await store.send(...deliveries, ...parts)
    expect(await store.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 150 })
  })

  test('of a renewal takes nothing from other payments', async () => {
    const store = await given()
    const { name, deliveries } = await store.checkout(SUBSCRIPTION)
    await store.send(...deliveries)
    service.clock.advance(MONTH_MS)
    const renewal = unique('renewal')
    await store.send(...store.fake.renew(name, renewal), ...store.fake.refund(renewal))
    const [first, second] = await store.sales()
    expect(await store.earned(first?.id)).toMatchObject({ cents: 1_000, reversed: 0 })
    expect(await store.earned(second?.id)).toMatchObject({ cents: 1_000, reversed: 1_000 })
  })

  test('in full without an amount, as older events state it, takes back everything', async () => {
    const store = await given()
    const { name, deliveries } = await store.checkout({ priceCents: 10_000, taxBps: 1_900 })
    await store.send(...deliveries)
    await store.send(
      ...store.fake.refund(name).map((event) =>
        withContent(event, ({ data }) => {
          delete data.attributes.refunded_amount
        }),
      ),
    )
    expect(await store.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 1_000 })
  })

  test.each([1.5, '1190', -1, 0, null, undefined])('of %p is kept, and says what is wrong', async (refunded_amount) => {
    const store = await given()
    const { name, deliveries } = await store.checkout({ priceCents: 10_000 })
    await store.send(...deliveries)
    await store.send(
      ...store.fake.refund(name, { cents: 1_190 }).map((event) =>
        withContent(event, ({ data }) => {
          data.attributes.refunded_amount = refunded_amount
        }),
      ),
    )
    expect(await store.events('?type=order_refunded')).toMatchObject([{ fate: 'ignored', reason: 'amount_missing' }])
    expect(await store.earned()).toMatchObject({ reversed: 0 })
  })

  test('that arrives before its payment waits for it', async () => {
    const store = await given()
    const { name, deliveries } = await store.checkout({ priceCents: 10_000 })
    await store.send(...store.fake.refund(name, { cents: 1_000 }))
    expect(await store.events()).toMatchObject([{ fate: 'waiting', reason: 'refund_before_sale' }])
    await store.send(...deliveries)
    expect(await store.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 100 })
  })
})

describe('a fraudulent order', () => {
  test.each([
    'order_refunded',
    'order_created',
    'order_updated',
  ])('stated by %s gives everything back', async (type) => {
    const store = await given()
    const { name, deliveries } = await store.checkout(SUBSCRIPTION)
    await store.send(...deliveries)
    const [fraud] = store.fake.dispute(name, 'opened')
    await store.send(
      withContent(fraud as never, ({ meta }) => {
        meta.event_name = type
      }),
    )
    expect(await store.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 1_000 })
  })

  test('after a partial refund takes back the rest, once', async () => {
    const store = await given()
    const { name, deliveries } = await store.checkout(SUBSCRIPTION)
    await store.send(...deliveries, ...store.fake.refund(name, { cents: 1_190 }))
    await store.send(...store.fake.dispute(name, 'opened'))
    expect(await store.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 1_000 })
  })
})

/** A first payment of which 17.85 of 119.00 are refunded in two parts, with the end of the subscription. */
const lifeOf = async (store: Store) => {
  const { name, deliveries } = await store.checkout(SUBSCRIPTION)
  return [
    ...deliveries,
    ...store.fake.refund(name, { cents: 1_190 }),
    ...store.fake.refund(name, { cents: 595 }),
    ...store.fake.end(name),
  ]
}

test('every adjacent pair of a payment’s events in both orders, and each event twice, ends the same', async () => {
  const store = await given()
  const orders = representativeOrders((await lifeOf(store)).map((_, index) => index))
  const ends: unknown[] = []
  for (const order of orders) {
    const before = new Set((await store.sales()).map(({ id }) => id))
    const life = await lifeOf(store)
    service.clock.advance(60_000)
    for (const index of order) await store.send(...life.slice(index, index + 1), ...life.slice(index, index + 1))
    const sales = (await store.sales()).filter(({ id }) => !before.has(id))
    const { cents, reversed } = await store.earned(sales[0]?.id)
    ends.push({ order, sales: sales.map(({ amountCents }) => amountCents), cents, reversed })
  }
  expect(ends).toEqual(orders.map((order) => ({ order, sales: [10_000], cents: 1_000, reversed: 150 })))
  const { heldCents, payableCents } = await store.balance()
  expect(heldCents + payableCents).toBe(orders.length * 850)
}, 600_000)
