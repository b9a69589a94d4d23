import { createFake } from '../create-fake.ts'
import type { FakeOptions, Payment, Refund, Wire, WireEvent } from '../fake.ts'
import { uuidFrom } from '../fake-ids.ts'
import { inMilliseconds } from '../moments.ts'
import { keyFromText, standardHeaders } from '../standard-webhooks.ts'
import { checkoutId, customerId, discountId, invoiceNumberOf, orderId, subscriptionId } from './names.ts'
import { type OrderState, orderOf } from './order.ts'
import { refundOf } from './refund.ts'
import { briefSubscriptionOf, type SubscriptionState, subscriptionOf } from './subscription.ts'

/** Polar. `account` is the organization's id. The sandbox is a separate service with the same events. */
export const createPolar = (options: FakeOptions) =>
  createFake(wire(options.account ?? '1dbfc517-0bbf-4301-9ba8-555ca42b9737'), options)

const wire = (organizationId: string): Wire => {
  /** When each subscription started, and the payment before each, by name. */
  const started = new Map<string, number>()
  const before = new Map<string, Payment | null>()

  const stateOf = (payment: Payment, change: Omit<SubscriptionState, 'startedAt'>): SubscriptionState => ({
    ...change,
    startedAt: started.get(payment.purchase) ?? payment.at,
  })

  const current = (payment: Payment, at: number) =>
    stateOf(payment, { status: payment.trialDays === null ? 'active' : 'trialing', at })

  const subscription = (type: string, payment: Payment, state: SubscriptionState) =>
    event(type, `${payment.name} ${state.status}`, state.at, subscriptionOf(organizationId, payment, state))

  const order = (type: string, payment: Payment, { status, at }: Omit<OrderState, 'subscription'>) => {
    const brief = payment.mode === 'subscription' ? briefSubscriptionOf(payment, current(payment, at)) : null
    const state = { status, at, subscription: brief }
    return event(type, payment.name, at, orderOf(organizationId, payment, before.get(payment.name) ?? null, state))
  }

  const paid = (payment: Payment, previous: Payment | null) => {
    const { at, mode, purchase, name } = payment
    before.set(name, previous)
    const created = order('order.created', payment, { status: 'pending', at })
    const settled = ['order.updated', 'order.paid'].map((type) => order(type, payment, { status: 'paid', at }))
    if (mode === 'payment') return [created, ...settled]
    if (previous) return [subscription('subscription.updated', payment, current(payment, at)), created, ...settled]
    started.set(purchase, at)
    const begin = ['subscription.created', 'subscription.updated', 'subscription.active']
    return [...begin.map((type) => subscription(type, payment, current(payment, at))), created, ...settled]
  }

  const refundEvents = (payment: Payment, refund: Refund, preventsDispute: boolean) => {
    const { name, at, isFull, outcome } = refund
    const status = ({ succeeds: 'succeeded', waits: 'pending', fails: 'failed' } as const)[outcome]
    const data = (state: 'pending' | 'succeeded' | 'failed') =>
      refundOf(organizationId, payment, { ...refund, status: state, preventsDispute })
    const created = event('refund.created', name, at, data(outcome === 'fails' ? 'pending' : status))
    if (outcome === 'waits') return [created]
    const updated = event('refund.updated', name, at, data(status))
    if (outcome === 'fails') return [created, updated]
    const after = { status: isFull ? ('refunded' as const) : ('partially_refunded' as const), at }
    return [created, updated, ...['order.updated', 'order.refunded'].map((type) => order(type, payment, after))]
  }

  return {
    name: 'polar',
    paid,
    refunded: (payment, refund) => refundEvents(payment, refund, false),
    // Disputes have no events, except those that Polar prevents with a refund.
    disputeSteps: ['prevented'],
    disputed: (payment, _step, at) => {
      const { totalCents, taxCents } = payment.amounts
      payment.refunded = { totalCents, taxCents }
      const refund = {
        name: `${payment.name} dispute`,
        at,
        totalCents,
        taxCents,
        isFull: true,
        outcome: 'succeeds',
      } as const
      return refundEvents(payment, refund, true)
    },
    cancelled: (payment, at) =>
      ['subscription.updated', 'subscription.canceled'].map((type) =>
        subscription(type, payment, stateOf(payment, { status: 'active', at, endsLater: true })),
      ),
    ended: (payment, at) =>
      ['subscription.updated', 'subscription.revoked'].map((type) =>
        subscription(type, payment, stateOf(payment, { status: 'canceled', at })),
      ),
    codeCreated: () => [],
    unknown: (at) => event('reticulation.splined', 'unknown', at, { id: uuidFrom('unknown', at) }),
    namesOf: (payment) => ({
      order: orderId(payment),
      invoiceNumber: invoiceNumberOf(payment),
      customer: customerId(payment),
      ...(payment.reason === 'purchase' && { checkout: checkoutId(payment) }),
      ...(payment.mode === 'subscription' && { subscription: subscriptionId(payment) }),
      ...(payment.discountCode && { discount: discountId(payment) ?? '' }),
    }),
    headers: (delivery, signing) => ({
      'user-agent': 'polar.sh webhooks',
      ...standardHeaders(delivery, signing, keyFromText),
    }),
  }
}

const event = (type: string, name: string, at: number, data: object): WireEvent => ({
  id: uuidFrom('event', type, name, at),
  type,
  content: { type, timestamp: inMilliseconds(at), data },
})
