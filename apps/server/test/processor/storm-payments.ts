import { type Generation, type StripePayment, stripePayment, type TestEvent } from './stripe-events.ts'

export type Random = () => number

/** The same numbers for the same seed, everywhere. */
export const randomOf = (seed: number): Random => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const pick = <Item>(random: Random, items: Item[]) => items[Math.floor(random() * items.length)] as Item

export const shuffled = <Item>(random: Random, items: Item[]) => {
  const keyed = items.map((item) => ({ item, key: random() }))
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item)
}

type Visitor = { programId: string; customerKey: string; clickId: string }

/** The events of one customer in order: `second` counts from the start. */
type Timeline = { event: TestEvent; second: number }[]

/** Five or six events of one customer: a purchase of one kind, then perhaps a refund or dispute. */
export const timelineOf = (random: Random, { programId, customerKey, clickId }: Visitor): Timeline => {
  const generation = pick<Generation>(random, ['2024', '2026'])
  const currency = pick(random, ['usd', 'eur', 'jpy', 'kwd'])
  const amount = 100 + Math.floor(random() * 100_000)
  const tax = Math.floor(amount * pick(random, [0, 0.07, 0.19]))
  const metadata = { program_id: programId, service_customer_key: customerKey, service_click_id: clickId }
  const payment = stripePayment({ generation, currency, amount, tax, metadata })
  const bought = pick(random, [checkout, subscription, debit, intentAlone])(payment, random, generation)
  const renewal = random() < 0.3 ? stripePayment({ generation, currency, amount, tax, metadata }) : null
  return [
    ...bought.map((event) => ({ event, second: 0 })),
    ...(renewal ? renewed(renewal, random, { generation, amount }) : []),
    ...pick(random, [nothing, nothing, partialRefunds, failedRefund, dispute])(payment, random, amount),
  ]
}

/** A renewal can be refunded and disputed like the first payment. */
const renewed = (
  renewal: StripePayment,
  random: Random,
  { generation, amount }: { generation: Generation; amount: number },
): Timeline => [
  { event: renewal.invoicePaid(), second: 1 },
  ...(generation === '2026' ? [{ event: renewal.invoicePaymentPaid(), second: 1 }] : []),
  ...pick(random, [nothing, partialRefunds, dispute])(renewal, random, amount),
]

type Ways = (payment: StripePayment, random: Random, generation: Generation) => TestEvent[]

const checkout: Ways = (payment) => [
  payment.completed(),
  payment.intentSucceeded({ metadata: {} }),
  payment.chargeSucceeded(),
]

const subscription: Ways = (payment, _, generation) => [
  payment.subscribed(),
  payment.invoicePaid(),
  payment.intentSucceeded({ metadata: {} }),
  payment.chargeSucceeded(),
  ...(generation === '2026' ? [payment.invoicePaymentPaid()] : []),
]

/** A bank debit that succeeds or fails. */
const debit: Ways = (payment, random) => [
  payment.completed({ payment_status: 'unpaid' }),
  ...(random() < 0.7 ? [payment.asyncSucceeded(), payment.chargeSucceeded()] : [payment.asyncFailed()]),
]

const intentAlone: Ways = (payment) => [payment.intentSucceeded(), payment.chargeSucceeded()]

type After = (payment: StripePayment, random: Random, amount: number) => Timeline

const nothing: After = () => []

const refundId = (payment: StripePayment, number: number) => `re_${number}_${payment.ids.charge}`

const partialRefunds: After = (payment, random, amount) => {
  const first = 1 + Math.floor(random() * (amount / 2))
  const second = 1 + Math.floor(random() * (amount / 2))
  const made = (number: number, part: number) =>
    payment.refund('refund.created', refundId(payment, number), { amount: part, status: 'succeeded' })
  return [
    { event: made(1, first), second: 1 },
    { event: payment.chargeRefunded(first), second: 1 },
    { event: made(2, second), second: 2 },
    { event: payment.chargeRefunded(first + second), second: 2 },
  ]
}

const failedRefund: After = (payment, random, amount) => {
  const part = 1 + Math.floor(random() * (amount - 1))
  const refund = (type: string, status: string) => payment.refund(type, refundId(payment, 1), { amount: part, status })
  return [
    { event: refund('refund.created', 'pending'), second: 1 },
    { event: refund('refund.failed', 'failed'), second: 2 },
  ]
}

const dispute: After = (payment, random) => [
  { event: payment.dispute('charge.dispute.created', 'needs_response'), second: 1 },
  { event: payment.dispute('charge.dispute.funds_withdrawn', 'needs_response'), second: 1 },
  ...(random() < 0.7
    ? [{ event: payment.dispute('charge.dispute.closed', pick(random, ['won', 'lost'])), second: 2 }]
    : []),
]
