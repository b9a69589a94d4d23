import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { unique } from '../../support/given.ts'
import { testEventsOf } from '../../support/records.ts'
import { givenService } from '../../support/shared-service.ts'
import { eventOf, givenFake, withContent } from '../standard-webhooks/given-fake.ts'
import { behavesLikeStandardWebhooks } from '../standard-webhooks/suite.ts'

const service = await givenService()
const MONTH_MS = 30 * 86_400_000

const DODO = { processor: 'dodo', newSecret: () => `whsec_${randomBytes(24).toString('base64')}` } as const
const given = (options: Parameters<typeof givenFake>[2] = {}) => givenFake(service, DODO, options)

behavesLikeStandardWebhooks(service, {
  ...DODO,
  paidType: 'payment.succeeded',
  otherAccount: 'bus_0NAnotherBusiness',
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
    ...fake.dispute(name, 'opened'),
    ...fake.dispute(name, 'won'),
  ],
  end: { cents: 1_000, reversed: 150, held: 0 },
  ownName: 'payment',
})

describe('a payment at Dodo Payments', () => {
  test('is one sale, net of tax, credited to the click in its metadata', async () => {
    const program = await given()
    const { deliveries, metadata, names } = await program.checkout({ priceCents: 10_000, taxBps: 2_000 })
    await program.send(...deliveries)
    expect(await program.sales()).toMatchObject([
      {
        invoiceId: names.payment as string,
        amountCents: 10_000,
        currency: 'USD',
        partnerId: program.link.partnerId,
        customerKey: metadata.service_customer_key,
        clickId: metadata.service_click_id,
        subscriptionId: null,
      },
    ])
    expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
    const { id } = eventOf(deliveries, 'payment.succeeded')
    expect(await program.event(id)).toMatchObject({ fate: 'applied', references: [names.payment, names.checkout] })
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

  test('counts in the currency that the customer paid, not in the settlement’s', async () => {
    const program = await given()
    const { name, deliveries } = await program.checkout({ priceCents: 4_900, taxBps: 1_000, currency: 'JPY' })
    await program.send(...deliveries, ...program.fake.refund(name, { cents: 2_695 }))
    expect(await program.sales()).toMatchObject([{ amountCents: 4_900, currency: 'JPY' }])
    expect(await program.earned()).toEqual({ commissions: 1, cents: 490, reversed: 245 })
  })

  test('without a tax is net', async () => {
    const program = await given()
    const { deliveries } = await program.checkout({ priceCents: 10_000 })
    const paid = eventOf(deliveries, 'payment.succeeded')
    await program.send(withContent(paid, ({ data }) => Object.assign(data, { tax: null })))
    expect(await program.sales()).toMatchObject([{ amountCents: 10_000 }])
  })
})

describe('a subscription at Dodo Payments', () => {
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

  test('that ends keeps its sales', async () => {
    const program = await given()
    const { name, deliveries } = await program.checkout({ mode: 'subscription', priceCents: 10_000 })
    await program.send(...deliveries, ...program.fake.cancel(name), ...program.fake.end(name))
    expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
    const ended = await program.events('?reason=subscription_ended')
    expect(ended.map(({ type }) => type)).toEqual(['subscription.expired', 'subscription.cancelled'])
  })

  test('of a trial takes no money', async () => {
    const program = await given()
    const { deliveries } = await program.checkout({ mode: 'subscription', trialDays: 14 })
    await program.send(...deliveries)
    expect(await program.sales()).toEqual([])
    for (const type of ['payment.succeeded', 'subscription.active'])
      expect(await program.event(eventOf(deliveries, type).id)).toMatchObject({ reason: 'nothing_paid' })
  })
})

describe('a refund at Dodo Payments', () => {
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

  test('that fails reverses nothing', async () => {
    const program = await given()
    const { name, deliveries } = await program.checkout({ priceCents: 10_000 })
    await program.send(...deliveries, ...program.fake.refund(name, { outcome: 'fails' }))
    expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
    expect((await program.events())[0]).toMatchObject({ type: 'refund.failed', reason: 'refund_failed' })
  })

  test('before its payment waits for it', async () => {
    const program = await given()
    const { name, deliveries } = await program.checkout({ priceCents: 10_000, taxBps: 2_000 })
    await program.send(...program.fake.refund(name, { cents: 1_200 }))
    expect(await program.events()).toMatchObject([{ fate: 'waiting', reason: 'refund_before_sale' }])
    await program.send(...deliveries)
    expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 100 })
  })
})

describe('a dispute at Dodo Payments', () => {
  const open = async () => {
    const program = await given()
    const { name, deliveries } = await program.checkout({ priceCents: 10_000, taxBps: 2_000 })
    await program.send(...deliveries, ...program.fake.dispute(name, 'opened'))
    return { program, name }
  }

  test('holds the commission while it is open, also when it is challenged', async () => {
    const { program, name } = await open()
    expect(await program.held()).toBe(1_000)
    await program.send(...program.fake.dispute(name, 'challenged'))
    expect(await program.held()).toBe(1_000)
    expect(await program.events('?type=dispute.challenged')).toMatchObject([{ fate: 'ignored' }])
  })

  test.each(['won', 'cancelled'] as const)('that is %s releases it', async (step) => {
    const { program, name } = await open()
    await program.send(...program.fake.dispute(name, step))
    expect(await program.held()).toBe(0)
    expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 0 })
  })

  test.each(['lost', 'accepted', 'expired'] as const)('that is %s reverses it', async (step) => {
    const { program, name } = await open()
    await program.send(...program.fake.dispute(name, step))
    expect(await program.held()).toBe(0)
    expect(await program.earned()).toEqual({ commissions: 1, cents: 1_000, reversed: 1_000 })
  })

  test('with an amount that is no number of minor units holds the whole commission', async () => {
    const program = await given()
    const { name, deliveries } = await program.checkout({ priceCents: 10_000 })
    const [opened] = program.fake.dispute(name, 'opened')
    await program.send(
      ...deliveries,
      withContent(opened as never, ({ data }) => Object.assign(data, { amount: '50.00' })),
    )
    expect(await program.held()).toBe(1_000)
  })
})

describe('test mode at Dodo Payments', () => {
  test('shows in a payment’s pages, even if the endpoint is said to be live', async () => {
    const program = await given({ fake: { mode: 'test' } })
    await program.send(...(await program.checkout({ priceCents: 10_000 })).deliveries)
    expect(await program.sales()).toEqual([])
    expect(await testEventsOf(service, program.id)).toMatchObject([{ eventType: 'sale' }])
  })
})

test('the set-up names the events, the endpoint and the secret', async () => {
  const program = await given()
  const { setUp, endpointUrl, eventTypes } = await program.connection()
  expect(endpointUrl).toEndWith(program.path)
  expect(eventTypes.map(({ type }: { type: string }) => type)).toEqual([
    'payment.succeeded',
    'refund.succeeded',
    'refund.failed',
    'dispute.opened',
    'dispute.won',
    'dispute.cancelled',
    'dispute.lost',
    'dispute.accepted',
    'dispute.expired',
    'subscription.active',
    'subscription.cancelled',
    'subscription.expired',
  ])
  expect(setUp.example).toContain(`program_id: '${program.id}'`)
  expect(await program.connect({ webhookSecret: 'polar_whs_1234567890123456' })).toMatchObject({ status: 400 })
  expect(await program.connect({ accountId: 'org_1' })).toMatchObject({ status: 400 })
})
