import { createHmac } from 'node:crypto'
import { createFake } from '../create-fake.ts'
import type { DisputeStep, FakeOptions, Payment, Refund, Signing, Unsigned, Wire, WireEvent } from '../fake.ts'
import { paddleId } from '../fake-ids.ts'
import { inMicroseconds } from '../moments.ts'
import { adjustmentOf } from './adjustment.ts'
import { codeId, customerId, discountId, invoiceId, subscriptionId, transactionId } from './names.ts'
import { createdSubscriptionOf, subscriptionOf } from './subscription.ts'
import { invoiceNumberOf, transactionOf } from './transaction.ts'

/** Paddle Billing. Sandbox events look like live ones; only the destination's secret differs. */
export const createPaddle = (options: FakeOptions) => createFake(wire(), options)

const wire = (): Wire => {
  /** When each subscription started, by purchase. */
  const started = new Map<string, number>()
  const disputedAt = new Map<string, number>()
  const startOf = (payment: Payment) => started.get(payment.purchase) ?? payment.at

  const subscription = (payment: Payment, change: Omit<Parameters<typeof subscriptionOf>[1], 'startedAt'>) =>
    subscriptionOf(payment, { ...change, startedAt: startOf(payment) })

  const paid = (payment: Payment, previous: Payment | null) => {
    const { at, name, mode, trialDays } = payment
    const transaction = (status: 'paid' | 'completed') =>
      event(`transaction.${status}`, name, at, transactionOf(payment, previous, status))
    if (mode === 'payment') return [transaction('paid'), transaction('completed')]
    if (!previous) started.set(payment.purchase, at)
    const status = trialDays === null ? ('active' as const) : ('trialing' as const)
    const change = previous
      ? event('subscription.updated', name, at, subscription(payment, { status, at }))
      : event('subscription.created', name, at, createdSubscriptionOf(payment, { status, at, startedAt: at }))
    return [transaction('paid'), change, transaction('completed')]
  }

  return {
    name: 'paddle',
    paid,
    refunded: refundEvents,
    disputeSteps: ['opened', 'won', 'warned', 'warning_closed'],
    disputed: (payment, step, at) => {
      const { isWarning, isReverse } = readStep(step)
      const key = `${payment.name} ${isWarning}`
      const openedAt = isReverse ? (disputedAt.get(key) ?? at) : at
      disputedAt.set(key, openedAt)
      return disputeEvents(payment, step, at, openedAt)
    },
    cancelled: (payment, at) => [
      event(
        'subscription.updated',
        `${payment.name} cancel`,
        at,
        subscription(payment, { status: 'active', at, endsLater: true }),
      ),
    ],
    ended: (payment, at) => [
      event('subscription.canceled', payment.name, at, subscription(payment, { status: 'canceled', at })),
    ],
    codeCreated: (code, at) => [event('discount.created', code, at, discountOf(code, at))],
    unknown: (at) => event('reticulation.splined', 'unknown', at, { id: paddleId('ret', at) }),
    namesOf: (payment) => ({
      transaction: transactionId(payment),
      invoice: invoiceId(payment),
      invoiceNumber: invoiceNumberOf(payment),
      customer: customerId(payment),
      ...(payment.mode === 'subscription' && { subscription: subscriptionId(payment) }),
      ...(payment.discountCode && { discount: discountId(payment) ?? '' }),
    }),
    headers,
  }
}

/** Live refunds wait for Paddle's approval. */
const refundEvents = (payment: Payment, refund: Refund): WireEvent[] => {
  const { name, at, outcome } = refund
  const base = { ...refund, action: 'refund', reason: 'requested_by_customer', createdAt: at } as const
  const created = adjustmentOf(payment, { ...base, status: 'pending_approval', updatedAt: null })
  const opened = event('adjustment.created', name, at, created)
  if (outcome === 'waits') return [opened]
  const status = outcome === 'succeeds' ? 'approved' : 'rejected'
  const decided = adjustmentOf(payment, { ...base, status, updatedAt: at })
  return [opened, event('adjustment.updated', name, at, decided)]
}

/** A lost chargeback has no event of its own: the adjustment stays as it is. */
const disputeEvents = (payment: Payment, step: DisputeStep, at: number, openedAt: number): WireEvent[] => {
  const { isWarning, isReverse } = readStep(step)
  const action = isWarning ? 'chargeback_warning' : 'chargeback'
  const { totalCents, taxCents } = payment.amounts
  const base = { totalCents, taxCents, isFull: true, reason: 'fraud', createdAt: openedAt }
  const original = { ...base, name: `${payment.name} ${action}`, action } as const
  if (!isReverse)
    return [
      event(
        'adjustment.created',
        original.name,
        at,
        adjustmentOf(payment, { ...original, status: 'approved', updatedAt: null }),
      ),
    ]
  const reverse = { ...base, createdAt: at, name: `${original.name} reverse`, action: `${action}_reverse` } as const
  return [
    event(
      'adjustment.updated',
      original.name,
      at,
      adjustmentOf(payment, { ...original, status: 'reversed', updatedAt: at }),
    ),
    event(
      'adjustment.created',
      reverse.name,
      at,
      adjustmentOf(payment, { ...reverse, status: 'approved', updatedAt: null }),
    ),
  ]
}

const readStep = (step: DisputeStep) => ({
  isWarning: step === 'warned' || step === 'warning_closed',
  isReverse: step === 'won' || step === 'warning_closed',
})

const discountOf = (code: string, at: number) => ({
  id: codeId(code),
  status: 'active',
  description: code,
  enabled_for_checkout: true,
  code,
  type: 'percentage',
  mode: 'standard',
  amount: '10',
  currency_code: null,
  recur: false,
  times_used: 0,
  maximum_recurring_intervals: null,
  usage_limit: null,
  restrict_to: null,
  custom_data: null,
  import_meta: null,
  expires_at: null,
  created_at: inMicroseconds(at),
  updated_at: inMicroseconds(at),
  discount_group_id: null,
})

const event = (type: string, name: string, at: number, data: object): WireEvent => {
  const id = paddleId('evt', type, name, at)
  return {
    id,
    type,
    content: {
      event_id: id,
      event_type: type,
      occurred_at: inMicroseconds(at),
      notification_id: paddleId('ntf', type, name, at),
      data,
    },
  }
}

/** `Paddle-Signature: ts=…;h1=…`, with one `h1` for each secret while it is rotated. */
const headers = ({ body }: Unsigned, { secrets, atSeconds }: Signing) => {
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${atSeconds}:`).update(body)
    return `h1=${hmac.digest('hex')}`
  })
  return { 'user-agent': 'Paddle', 'paddle-signature': [`ts=${atSeconds}`, ...signatures].join(';') }
}
