import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { unique } from '../../support/given.ts'
import { givenService } from '../../support/shared-service.ts'
import { eventOf, givenFake, withContent } from '../standard-webhooks/given-fake.ts'
import { behavesLikeStandardWebhooks } from '../standard-webhooks/suite.ts'

const service = await givenService()
const MONTH_MS = 30 * 86_400_000

/** Merchants can choose the secret; generated ones have had two prefixes. Both are part of the key. */
let secrets = 0
const newSecret = () => `${['whsec_', 'polar_whs_', ''][secrets++ % 3]}${randomBytes(16).toString('hex')}`
const POLAR = { processor: 'polar', newSecret } as const
const given = (options: Parameters<typeof givenFake>[2] = {}) => givenFake(service, POLAR, options)

behavesLikeStandardWebhooks(service, {
  ...POLAR,
  paidType: 'order.paid',
  otherAccount: '2dbfc517-0bbf-4301-9ba8-555ca42b9738',
  setAmount: ({ data }, value) => {
    data.total_amount = value
  },
  setCurrency: ({ data }, value) => {
    data.currency = value
  },
  afterwards: ({ fake }, name) => [
    ...fake.refund(name, { cents: 1_190 }),
    ...fake.refund(name, { cents: 2_380, outcome: 'fails' }),
    ...fake.refund(name, { cents: 595 }),
  ],
  end: { cents: 1_000, reversed: 150, held: 0 },
  ownName: 'order',
})

describe('a payment at Polar', () => {
  test('is one sale, net of tax, credited to the click in its metadata', async () => {
    const program = await given()
    const { deliveries, metadata, names } = await program.checkout({ priceCents: 10_000, taxBps: 2_000 })
    await program.send(...deliveries)
    expect(await program.sales()).toMatchObject([
      {
        invoiceId: names.order as string,
        amountCents: 10_000,
        currency: 'USD',
        partnerId: program.link.partnerId,
        customerKey: metadata.service_customer_key,
        clickId: metadata.service_click_id,
        subscriptionId: null,
      },
    ])
    expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
    const { id } = eventOf(deliveries, 'order.paid')
    expect(await program.event(id)).toMatchObject({ fate: 'applied', references: [names.order, names.checkout] })
  })

  test.each([
    ['without tax, which is added', false, 10_000],
    ['with tax', true, 8_333],
  ])('at a price %s earns on the net amount', async (_, taxInclusive, amountCents) => {
    const program = await given()
    const { deliveries } = await program.checkout({ priceCents: 10_000, taxBps: 2_000, taxInclusive })
    await program.send(...deliveries)
    expect(await program.sales()).toMatchObject([{ amountCents }])
  })

  test('with a discount earns on the discounted price', async () => {
    const program = await given()
    const price = { priceCents: 10_000, discountCents: 4_000, discountCode: 'SAM40', taxBps: 2_000 }
    await program.send(...(await program.checkout(price)).deliveries)
    expect(await program.sales()).toMatchObject([{ amountCents: 6_000 }])
  })

  test('in yen has no decimals', async () => {
    const program = await given()
    const { name, deliveries } = await program.checkout({ priceCents: 4_900, taxBps: 1_000, currency: 'JPY' })
    await program.send(...deliveries, ...program.fake.refund(name, { cents: 2_695 }))
    expect(await program.sales()).toMatchObject([{ amountCents: 4_900, currency: 'JPY' }])
    expect(await program.earned()).toEqual({ commissions: 1, cents: 490, reversed: 245 })
  })

  test.each([
    ['ISK', 490_000, 4_900],
    ['UGX', 490_000, 4_900],
    ['MGA', 4_900, 490_000],
  ])('in %s, whose units at Polar are not those of ISO 4217, has the right amount', async (currency, priceCents, amountCents) => {
    const program = await given()
    await program.send(...(await program.checkout({ priceCents, currency })).deliveries)
    expect(await program.sales()).toMatchObject([{ amountCents, currency }])
  })
})

describe('a subscription at Polar', () => {
  test('earns for every renewal, which has the metadata of the checkout', async () => {
    const program = await given()
    const { name, deliveries, names } = await program.checkout({
      mode: 'subscription',
      priceCents: 10_000,
      taxBps: 2_000,
    })
    await program.send(...deliveries)
    for (const renewal of [unique('renewal'), unique('renewal')]) {
      service.clock.advance(MONTH_MS)
      await program.send(...program.fake.renew(name, renewal))
    }
    const sale = {
      amountCents: 10_000,
      partnerId: program.link.partnerId,
      subscriptionId: names.subscription as string,
    }
    expect(await program.sales()).toMatchObject([sale, sale, sale])
    expect(await program.earned()).toEqual({ commissions: 3, cents: 3_000, reversed: 0 })
  })

  test('earns for the proration of an upgrade, and then for the new price', async () => {
    const program = await given()
    const { name, deliveries } = await program.checkout({ mode: 'subscription', priceCents: 10_000, taxBps: 2_000 })
    await program.send(...deliveries)
    service.clock.advance(MONTH_MS / 2)
    await program.send(...program.fake.upgrade(name, unique('upgrade'), { priceCents: 30_000, chargeCents: 9_000 }))
    service.clock.advance(MONTH_MS / 2)
    await program.send(...program.fake.renew(name, unique('renewal')))
    expect((await program.sales()).map(({ amountCents }) => amountCents)).toEqual([10_000, 9_000, 30_000])
  })

  test('does not earn twice for a credit that pays a later order', async () => {
    const program = await given()
    const { name, deliveries } = await program.checkout({ mode: 'subscription', priceCents: 10_000, taxBps: 2_000 })
    await program.send(...deliveries)
    const [downgraded, renewed] = [unique('downgrade'), unique('renewal')]
    const credit = eventOf(program.fake.renew(name, downgraded), 'order.paid')
    await program.send(
      withContent(credit, ({ data }) =>
        Object.assign(data, {
          billing_reason: 'subscription_update',
          net_amount: -5_000,
          tax_amount: -1_000,
          total_amount: -6_000,
        }),
      ),
    )
    expect(await program.event(credit.id)).toMatchObject({ fate: 'ignored', reason: 'nothing_paid' })
    const next = eventOf(program.fake.renew(name, renewed), 'order.paid')
    await program.send(withContent(next, ({ data }) => Object.assign(data, { applied_balance_amount: -6_000 })))
    expect((await program.sales()).map(({ amountCents }) => amountCents)).toEqual([10_000, 5_000])
  })

  test('that ends keeps its sales', async () => {
    const program = await given()
    const { name, deliveries } = await program.checkout({ mode: 'subscription', priceCents: 10_000 })
    await program.send(...deliveries, ...program.fake.cancel(name), ...program.fake.end(name))
    expect(await program.sales()).toHaveLength(1)
    expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
    const ended = await program.events('?reason=subscription_ended')
    expect(ended.map(({ type }) => type)).toEqual(['subscription.revoked', 'subscription.canceled'])
  })

  test('of a trial takes no money', async () => {
    const program = await given()
    const { deliveries } = await program.checkout({ mode: 'subscription', trialDays: 14 })
    await program.send(...deliveries)
    expect(await program.sales()).toEqual([])
    expect(await program.event(eventOf(deliveries, 'order.paid').id)).toMatchObject({ reason: 'nothing_paid' })
  })
})

describe('a refund at Polar', () => {
  test('in two parts and then in full reverses the commission in proportion', async () => {
    const program = await given()
    const { name, deliveries } = await program.checkout({ priceCents: 10_000, taxBps: 2_000 })
    await program.send(...deliveries, ...program.fake.refund(name, { cents: 1_200 }))
    expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 100 })
    await program.send(...program.fake.refund(name, { cents: 2_400 }))
    expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 300 })
    await program.send(...program.fake.refund(name))
    expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 1_000 })
  })

  test('counts once, whether its own events arrive, the order’s, or both', async () => {
    for (const types of [['refund.created'], ['refund.updated'], ['order.refunded']]) {
      const program = await given()
      const { name, deliveries } = await program.checkout({ priceCents: 10_000, taxBps: 2_000 })
      const refunded = program.fake.refund(name, { cents: 1_200 })
      await program.send(...deliveries, ...types.map((type) => eventOf(refunded, type)))
      expect({ types, ...(await program.earned()) }).toMatchObject({ types, reversed: 100 })
    }
  })

  test('that waits or fails reverses nothing, and one that fails later is undone', async () => {
    const program = await given()
    const { name, deliveries } = await program.checkout({ priceCents: 10_000, taxBps: 2_000 })
    await program.send(...deliveries, ...program.fake.refund(name, { outcome: 'waits' }))
    await program.send(...program.fake.refund(name, { outcome: 'fails' }))
    expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
    const made = program.fake.refund(name)
    await program.send(...made)
    expect(await program.earned()).toMatchObject({ reversed: 1_000 })
    const failed = withContent(eventOf(made, 'refund.updated'), (content) => {
      content.data.status = 'failed'
      content.timestamp = new Date(Date.parse(content.timestamp) + 1_000).toISOString()
    })
    service.clock.advance(5_000)
    await program.send({ ...failed, id: `${failed.id}2` })
    expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
  })

  test('that prevents a dispute reverses everything', async () => {
    const program = await given()
    const { name, deliveries } = await program.checkout({ priceCents: 10_000, taxBps: 2_000 })
    await program.send(...deliveries, ...program.fake.dispute(name, 'prevented'))
    expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 1_000 })
    expect(await program.held()).toBe(0)
  })

  test('before its payment waits for it', async () => {
    const program = await given()
    const { name, deliveries } = await program.checkout({ priceCents: 10_000, taxBps: 2_000 })
    const [created] = program.fake.refund(name, { cents: 1_200 })
    if (created) await program.send(created)
    expect(await program.events()).toMatchObject([{ fate: 'waiting', reason: 'refund_before_sale' }])
    await program.send(...deliveries)
    expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 100 })
  })
})

test('the set-up names the events, the endpoint and the secret', async () => {
  const program = await given()
  const { setUp, endpointUrl, eventTypes } = await program.connection()
  expect(endpointUrl).toEndWith(program.path)
  expect(eventTypes.map(({ type }: { type: string }) => type)).toEqual([
    'order.paid',
    'order.refunded',
    'refund.created',
    'refund.updated',
    'subscription.created',
    'subscription.canceled',
    'subscription.revoked',
  ])
  expect(setUp.example).toContain(`program_id: ${program.id}`)
  expect(await program.connect({ webhookSecret: 'too short' })).toMatchObject({ status: 400 })
  expect(await program.connect({ accountId: 'not-a-uuid' })).toMatchObject({ status: 400 })
})
