import { describe, expect, test } from 'bun:test'
import { unique } from '../../support/given.ts'
import { givenService } from '../../support/shared-service.ts'
import { givenLemonSqueezy } from './given-lemonsqueezy.ts'

const service = await givenService()
const given = (options: Parameters<typeof givenLemonSqueezy>[1] = {}) => givenLemonSqueezy(service, options)
const MONTH_MS = 30 * 86_400_000
const SUBSCRIPTION = { mode: 'subscription', priceCents: 10_000 } as const

/** The same store, whose events have no custom data: what it sends for a customer it knows. */
const silent = (store: Awaited<ReturnType<typeof given>>, deliveries: ReturnType<typeof store.fake.renew>) =>
  deliveries.map((delivery) => {
    const content = JSON.parse(Buffer.from(delivery.body).toString('utf8'))
    delete content.meta.custom_data
    return { ...delivery, body: new Uint8Array(Buffer.from(JSON.stringify(content))) }
  })

describe('a customer known by the store’s number', () => {
  test('stays with the partner when a renewal has no custom data', async () => {
    const store = await given()
    const { name, deliveries } = await store.checkout(SUBSCRIPTION)
    await store.send(...deliveries)
    service.clock.advance(MONTH_MS)
    await store.send(...silent(store, store.fake.renew(name, unique('renewal'))))
    expect(await store.earned()).toEqual({ commissions: 2, cents: 2_000, reversed: 0 })
  })

  test('is bound by a trial, which takes no money', async () => {
    const store = await given()
    const { name, deliveries } = await store.checkout({ ...SUBSCRIPTION, trialDays: 14 })
    await store.send(...deliveries)
    expect(await store.sales()).toEqual([])
    service.clock.advance(14 * 86_400_000)
    await store.send(...silent(store, store.fake.renew(name, unique('first'))))
    expect(await store.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
  })

  test('is credited once for an order and its first invoice, also while nothing joins the two', async () => {
    const store = await given()
    const { name, deliveries } = await store.checkout({ priceCents: 10_000 })
    await store.send(...deliveries)
    const again = silent(store, store.fake.checkout(unique('again'), { ...SUBSCRIPTION, customer: name }))
    await store.send(...again.filter(({ type }) => !['subscription_created', 'subscription_updated'].includes(type)))
    expect(await store.earned()).toEqual({ commissions: 2, cents: 2_000, reversed: 0 })
    await store.send(...again)
    expect(await store.earned()).toEqual({ commissions: 2, cents: 2_000, reversed: 0 })
  })

  test('in another store is another customer', async () => {
    const store = await given()
    const other = await given({ fake: { account: '99001' } })
    const { name, metadata, deliveries } = await store.checkout(SUBSCRIPTION)
    await store.send(...deliveries)
    await other.send(...other.fake.checkout(name, { ...SUBSCRIPTION, customer: name }))
    expect(metadata.program_id).not.toBe(String(other.id))
    expect(await other.earned()).toEqual({ commissions: 0, cents: 0, reversed: 0 })
  })
})
