import { expect, test } from 'bun:test'
import { createFakeOf, type Delivery, PROCESSOR_NAMES, type ProcessorName } from '../../src/fakes/index.ts'
import { DODO } from './published/dodo.ts'
import { LEMON_SQUEEZY } from './published/lemonsqueezy.ts'
import { PADDLE } from './published/paddle.ts'
import { POLAR } from './published/polar.ts'
import { differences } from './published-shape.ts'

/** Everything that can happen, with tax, a discount and metadata. */
const lifeOf = (name: ProcessorName) => {
  const fake = createFakeOf(name, { secret: 'whsec_c2VjcmV0' })
  const purchase = {
    discountCents: 400,
    discountCode: 'SAM20',
    taxBps: 1900,
    metadata: { program_id: '1', service_click_id: 'clk_1', service_customer_key: 'user_1' },
  }
  return [
    ...fake.createCode('SAM20'),
    ...fake.checkout('once', purchase),
    ...fake.refund('once', { cents: 500 }),
    ...fake.checkout('sub', { ...purchase, mode: 'subscription' }),
    ...fake.renew('sub', 'second'),
    ...fake.upgrade('sub', 'bigger', { priceCents: 9900, chargeCents: 2500 }),
    ...fake.refund('second'),
    ...fake.checkout('trial', { ...purchase, mode: 'subscription', trialDays: 14 }),
    ...fake.disputeSteps.flatMap((step) => fake.dispute('once', step)),
    ...fake.cancel('sub'),
    ...fake.end('sub'),
  ]
}

const contentOf = ({ body }: Delivery) => JSON.parse(new TextDecoder().decode(body))

type Shapes = Record<string, string>

/** Events without a sample of their own have the object of another event. */
const SAMPLE_OF: Record<ProcessorName, (type: string) => string> = {
  paddle: (type) => {
    if (type.startsWith('transaction')) return PADDLE['transaction.completed']
    if (type.startsWith('adjustment')) return PADDLE['adjustment.created']
    if (type === 'subscription.updated') return PADDLE['subscription.canceled']
    return (PADDLE as Shapes)[type] ?? ''
  },
  lemonsqueezy: (type) => {
    if (type.startsWith('order')) return LEMON_SQUEEZY.order_created
    if (type.startsWith('subscription_payment')) return LEMON_SQUEEZY.subscription_payment_success
    return LEMON_SQUEEZY.subscription_created
  },
  polar: (type) => {
    if (type.startsWith('order')) return POLAR['order.paid']
    return type.startsWith('refund') ? POLAR['refund.created'] : POLAR['subscription.canceled']
  },
  dodo: (type) => {
    if (type.startsWith('payment')) return DODO['payment.succeeded']
    if (type.startsWith('refund')) return DODO['refund.succeeded']
    return type.startsWith('dispute') ? DODO['dispute.opened'] : DODO['subscription.active']
  },
}

/** Fields that the documentation lists and the samples lack. */
const DOCUMENTED: Record<ProcessorName, string[]> = {
  paddle: ['.data.items[].proration', '.data.details.line_items[].proration', '.data.payout_totals.chargeback_fee'],
  // The order object of the API reference, 2025.
  lemonsqueezy: [
    ...['refunded_amount', 'refunded_amount_usd', 'refunded_amount_formatted'],
    ...['setup_fee_usd', 'setup_fee_formatted', 'tax_inclusive', 'first_order_item.id', 'first_order_item.quantity'],
  ].map((field) => `.data.attributes.${field}`),
  polar: [],
  dodo: [],
}

test.each(PROCESSOR_NAMES)('every event of %p has the published fields and types', (name) => {
  const found = lifeOf(name).flatMap((delivery) =>
    differences(SAMPLE_OF[name](delivery.type), contentOf(delivery), DOCUMENTED[name]).map(
      (difference) => `${delivery.type}${difference}`,
    ),
  )
  expect([...new Set(found)]).toEqual([])
})

test.each(PROCESSOR_NAMES)('ids of %p are distinct, and the same in every run', (name) => {
  const ids = lifeOf(name).flatMap(({ id }) => (id === null ? [] : [id]))
  expect(new Set(ids).size).toBe(ids.length)
  const again = createFakeOf(name, { secret: 'other' })
  const once = createFakeOf(name, { secret: 'whsec_c2VjcmV0' })
  again.checkout('once')
  once.checkout('once')
  expect(again.namesOf('once')).toEqual(once.namesOf('once'))
})

test('the ids have the prefixes of their processor', () => {
  const namesAt = (name: ProcessorName) => {
    const fake = createFakeOf(name, { secret: 'whsec_c2VjcmV0' })
    fake.checkout('p', { mode: 'subscription' })
    return fake.namesOf('p')
  }
  expect(namesAt('paddle')).toEqual({
    transaction: expect.stringMatching(/^txn_01[a-z\d]{24}$/),
    invoice: expect.stringMatching(/^inv_01[a-z\d]{24}$/),
    invoiceNumber: expect.stringMatching(/^1043-\d{5}$/),
    customer: expect.stringMatching(/^ctm_01[a-z\d]{24}$/),
    subscription: expect.stringMatching(/^sub_01[a-z\d]{24}$/),
  })
  const digits = expect.stringMatching(/^\d{10}$/)
  const uuid = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  expect(namesAt('lemonsqueezy')).toEqual({
    customer: digits,
    order: digits,
    identifier: uuid,
    invoice: digits,
    subscription: digits,
  })
  expect(namesAt('polar')).toEqual({
    order: uuid,
    checkout: uuid,
    customer: uuid,
    subscription: uuid,
    invoiceNumber: expect.stringMatching(/^QUILLET-[\dA-F]{8}-\d{4}$/),
  })
  expect(namesAt('dodo')).toEqual({
    payment: expect.stringMatching(/^pay_0N\w{19}$/),
    checkout: expect.stringMatching(/^cks_0N\w{19}$/),
    customer: expect.stringMatching(/^cus_0N\w{19}$/),
    subscription: expect.stringMatching(/^sub_0N\w{19}$/),
  })
})
