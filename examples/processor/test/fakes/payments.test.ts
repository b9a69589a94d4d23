import { expect, test } from 'bun:test'
import {
  createFakeOf,
  type Delivery,
  PROCESSOR_NAMES,
  type ProcessorName,
  type Purchase,
} from '../../src/fakes/index.ts'

// biome-ignore lint/suspicious/noExplicitAny: a payload has no type of its own
const contentOf = ({ body }: Delivery): any => JSON.parse(new TextDecoder().decode(body))

const fakeOf = (name: ProcessorName) => createFakeOf(name, { secret: 'whsec_c2VjcmV0' })

type Money = { net: number; tax: number; total: number }

const PAID_EVENT: Record<ProcessorName, string> = {
  paddle: 'transaction.completed',
  lemonsqueezy: 'order_created',
  polar: 'order.paid',
  dodo: 'payment.succeeded',
}

/** Where each processor states what was paid. */
const readPaid: Record<ProcessorName, (event: ReturnType<typeof contentOf>) => Money> = {
  paddle: ({ data }) => {
    const { tax, total } = data.details.totals
    return { net: Number(total) - Number(tax), tax: Number(tax), total: Number(total) }
  },
  lemonsqueezy: ({ data: { attributes } }) => {
    const { tax, total } = attributes
    return { net: total - tax, tax, total }
  },
  polar: ({ data }) => ({ net: data.net_amount, tax: data.tax_amount, total: data.total_amount }),
  dodo: ({ data }) => ({ net: data.total_amount - data.tax, tax: data.tax, total: data.total_amount }),
}

const paidOf = (name: ProcessorName, deliveries: Delivery[], type = PAID_EVENT[name]) => {
  const found = deliveries.find((delivery) => delivery.type === type)
  if (!found) throw new Error(`${name} sent no ${type}: ${deliveries.map((delivery) => delivery.type)}`)
  return readPaid[name](contentOf(found))
}

const PURCHASES: [string, Purchase, Money][] = [
  ['tax added to the price', { priceCents: 4900, taxBps: 1900 }, { net: 4900, tax: 931, total: 5831 }],
  [
    'tax contained in the price',
    { priceCents: 4900, taxBps: 1900, taxInclusive: true },
    { net: 4118, tax: 782, total: 4900 },
  ],
  [
    'a discount',
    { priceCents: 4900, discountCents: 980, discountCode: 'SAM20', taxBps: 1900 },
    { net: 3920, tax: 745, total: 4665 },
  ],
  ['yen', { priceCents: 4900, currency: 'JPY', taxBps: 1000 }, { net: 4900, tax: 490, total: 5390 }],
  ['a trial', { mode: 'subscription', priceCents: 4900, taxBps: 1900, trialDays: 14 }, { net: 0, tax: 0, total: 0 }],
]

for (const name of PROCESSOR_NAMES)
  test.each(PURCHASES)(`${name}: %s`, (_what, purchase, money) => {
    expect(paidOf(name, fakeOf(name).checkout('p', purchase))).toEqual(money)
  })

const RENEWAL_EVENT = { ...PAID_EVENT, lemonsqueezy: 'subscription_payment_success' }

test.each(
  PROCESSOR_NAMES,
)('%p: a discount is for the first payment only; an upgrade changes later payments', (name) => {
  const fake = fakeOf(name)
  fake.checkout('p', { mode: 'subscription', priceCents: 4900, discountCents: 900, taxBps: 1000 })
  const paid = (deliveries: Delivery[]) => paidOf(name, deliveries, RENEWAL_EVENT[name]).net
  expect(paid(fake.renew('p', 'p2'))).toBe(4900)
  expect(paid(fake.upgrade('p', 'p3', { priceCents: 9900, chargeCents: 2500 }))).toBe(2500)
  expect(paid(fake.renew('p', 'p4'))).toBe(9900)
  fake.end('p')
  expect(() => fake.renew('p', 'p5')).toThrow('has ended')
})

test.each(PROCESSOR_NAMES)('%p carries the metadata from the checkout to every later payment', (name) => {
  const fake = fakeOf(name)
  const metadata = { program_id: '1', service_click_id: 'clk_1', service_customer_key: 'user_1' }
  const sent = [
    ...fake.checkout('p', { mode: 'subscription', metadata }),
    ...fake.renew('p', 'p2'),
    ...fake.upgrade('p', 'p3', { priceCents: 9900, chargeCents: 2500 }),
  ]
  for (const delivery of sent) {
    const { meta, data } = contentOf(delivery)
    expect(meta?.custom_data ?? data.custom_data ?? data.metadata).toEqual(metadata)
  }
})

test('two partial refunds and the rest, as each processor states them', () => {
  const refundsOf = (name: ProcessorName, type: string, read: (event: ReturnType<typeof contentOf>) => unknown) => {
    const fake = fakeOf(name)
    fake.checkout('p', { priceCents: 999, taxBps: 1900 })
    return [333, 333, undefined].map((cents) => {
      const sent = fake.refund('p', cents === undefined ? {} : { cents })
      return read(contentOf(sent.find((delivery) => delivery.type === type) as Delivery))
    })
  }
  // 999 + 190 tax = 1189
  expect(
    refundsOf('paddle', 'adjustment.updated', ({ data }) => [
      data.status,
      data.type,
      data.totals.subtotal,
      data.totals.tax,
    ]),
  ).toEqual([
    ['approved', 'partial', '280', '53'],
    ['approved', 'partial', '280', '53'],
    ['approved', 'full', '439', '84'],
  ])
  expect(
    refundsOf('lemonsqueezy', 'order_refunded', ({ data: { attributes } }) => [
      attributes.status,
      attributes.refunded_amount,
    ]),
  ).toEqual([
    ['partial_refund', 333],
    ['partial_refund', 666],
    ['refunded', 1189],
  ])
  expect(refundsOf('polar', 'refund.updated', ({ data }) => [data.status, data.amount, data.tax_amount])).toEqual([
    ['succeeded', 280, 53],
    ['succeeded', 280, 53],
    ['succeeded', 439, 84],
  ])
  expect(
    refundsOf('polar', 'order.refunded', ({ data }) => [data.status, data.refunded_amount, data.refunded_tax_amount]),
  ).toEqual([
    ['partially_refunded', 280, 53],
    ['partially_refunded', 560, 106],
    ['refunded', 999, 190],
  ])
  expect(refundsOf('dodo', 'refund.succeeded', ({ data }) => [data.is_partial, data.amount])).toEqual([
    [true, 333],
    [true, 333],
    [false, 523],
  ])
})

test.each(PROCESSOR_NAMES)('%p refunds no more than was paid, and a failed refund takes nothing', (name) => {
  const fake = fakeOf(name)
  fake.checkout('p', { priceCents: 1000 })
  expect(() => fake.refund('p', { cents: 1001 })).toThrow('1000 of the payment is left')
  fake.refund('p', { outcome: 'fails' })
  expect(fake.find('p').refunded).toEqual({ totalCents: 0, taxCents: 0 })
  fake.refund('p')
  expect(() => fake.refund('p')).toThrow('0 of the payment is left')
})

test('the lines of an upgrade add up to its total', () => {
  const upgradeOf = (name: ProcessorName) => {
    const fake = fakeOf(name)
    fake.checkout('p', { mode: 'subscription', priceCents: 4900, taxBps: 1900 })
    const sent = fake.upgrade('p', 'p2', { priceCents: 9900, chargeCents: 1667 })
    return contentOf(sent.find((delivery) => delivery.type === PAID_EVENT[name]) as Delivery).data
  }
  const paddle = upgradeOf('paddle').details
  const sumOf = (key: string) =>
    paddle.line_items.reduce(
      (sum: number, { totals }: { totals: Record<string, string> }) => sum + Number(totals[key]),
      0,
    )
  for (const key of ['subtotal', 'tax', 'total']) expect(String(sumOf(key))).toBe(paddle.totals[key])
  expect(paddle.line_items[1].quantity).toBe(-1)
  const polar = upgradeOf('polar')
  const polarSum = (key: 'amount' | 'tax_amount') =>
    polar.items.reduce((sum: number, item: Record<string, number>) => sum + (item[key] ?? 0), 0)
  expect([polarSum('amount'), polarSum('tax_amount')]).toEqual([polar.net_amount, polar.tax_amount])
})

test('what the processors have in place of disputes', () => {
  const stepsOf = (name: ProcessorName) => {
    const fake = fakeOf(name)
    fake.checkout('p')
    return fake.disputeSteps.flatMap((step) => fake.dispute('p', step).map(({ type }) => `${step}: ${type}`))
  }
  expect(stepsOf('paddle')).toEqual([
    'opened: adjustment.created',
    'won: adjustment.updated',
    'won: adjustment.created',
    'warned: adjustment.created',
    'warning_closed: adjustment.updated',
    'warning_closed: adjustment.created',
  ])
  expect(stepsOf('lemonsqueezy')).toEqual(['opened: order_refunded'])
  expect(stepsOf('polar')).toEqual([
    'prevented: refund.created',
    'prevented: refund.updated',
    'prevented: order.updated',
    'prevented: order.refunded',
  ])
  expect(stepsOf('dodo')).toEqual(
    ['opened', 'challenged', 'won', 'lost', 'accepted', 'cancelled', 'expired'].map(
      (step) => `${step}: dispute.${step}`,
    ),
  )
  expect(fakeOf('polar').disputeSteps).not.toContain('opened')
})

test('Lemon Squeezy states the mode, and yen in either of two ways', () => {
  const fake = createFakeOf('lemonsqueezy', { secret: 's', mode: 'test', yenFactor: 100 })
  const [order] = fake.checkout('p', { priceCents: 4900, currency: 'JPY' })
  const { meta, data } = contentOf(order as Delivery)
  expect(meta.test_mode).toBe(true)
  expect(data.attributes).toMatchObject({ test_mode: true, total: 490_000, total_formatted: '¥4,900' })
  const [live] = fakeOf('lemonsqueezy').checkout('p', { priceCents: 4900, currency: 'JPY' })
  expect(contentOf(live as Delivery).data.attributes).toMatchObject({
    test_mode: false,
    total: 4900,
    total_formatted: '¥4,900',
  })
})

test.each(PROCESSOR_NAMES)('%p: events of one payment are a second apart', (name) => {
  const fake = createFakeOf(name, { secret: 'whsec_c2VjcmV0', now: () => Date.UTC(2026, 10, 19, 12) })
  fake.checkout('p', { priceCents: 1000 })
  const [first] = fake.refund('p', { cents: 1 })
  const [second] = fake.refund('p', { cents: 1 })
  expect(contentOf(first as Delivery)).not.toEqual(contentOf(second as Delivery))
  expect(fake.find('p').at).toBe(Date.UTC(2026, 10, 19, 12))
})
