import { createFake } from '../create-fake.ts'
import type { FakeOptions, Payment, Wire, WireEvent } from '../fake.ts'
import { dodoId, messageId } from '../fake-ids.ts'
import { inMicroseconds } from '../moments.ts'
import { keyFromBase64, standardHeaders } from '../standard-webhooks.ts'
import { checkoutId, customerId, discountId, paymentId, subscriptionId } from './names.ts'
import type { Business } from './parts.ts'
import { disputeOf, paymentOf, refundOf } from './payment.ts'
import { subscriptionOf } from './subscription.ts'

/** Dodo Payments. `account` is the business. Test mode has its own secret, and its links lead to another host. */
export const createDodo = (options: FakeOptions) => {
  const { account = 'bus_0NFakeBusinessQuillet', mode = 'live' } = options
  return createFake(wire({ id: account, isTest: mode === 'test' }), options)
}

const wire = (business: Business): Wire => {
  const started = new Map<string, number>()
  const disputedAt = new Map<string, number>()

  const event = (type: string, name: string, at: number, data: object): WireEvent => ({
    id: messageId(type, name, at),
    type,
    content: { business_id: business.id, data, timestamp: inMicroseconds(at), type },
  })

  const subscription = (
    type: string,
    payment: Payment,
    state: Omit<Parameters<typeof subscriptionOf>[2], 'startedAt'>,
  ) => {
    const startedAt = started.get(payment.purchase) ?? payment.at
    return event(
      type,
      `${payment.name} ${state.at}`,
      state.at,
      subscriptionOf(business, payment, { ...state, startedAt }),
    )
  }

  /** The card of a trial is authorized with a payment of zero. */
  const paid = (payment: Payment, previous: Payment | null) => {
    const { at, name, mode, purchase, reason } = payment
    const succeeded = event('payment.succeeded', name, at, paymentOf(business, payment))
    if (mode === 'payment') return [succeeded]
    if (!previous) started.set(purchase, at)
    const change = {
      purchase: 'subscription.active',
      renewal: 'subscription.renewed',
      upgrade: 'subscription.plan_changed',
    }
    return [
      succeeded,
      ...[change[reason], 'subscription.updated'].map((type) => subscription(type, payment, { status: 'active', at })),
    ]
  }

  return {
    name: 'dodo',
    paid,
    refunded: (payment, refund) => {
      if (refund.outcome === 'waits') return []
      const type = refund.outcome === 'fails' ? 'refund.failed' : 'refund.succeeded'
      return [event(type, refund.name, refund.at, refundOf(business, payment, refund))]
    },
    disputeSteps: ['opened', 'challenged', 'won', 'lost', 'accepted', 'cancelled', 'expired'],
    disputed: (payment, step, at) => {
      const openedAt = disputedAt.get(payment.name) ?? at
      disputedAt.set(payment.name, openedAt)
      return [event(`dispute.${step}`, payment.name, at, disputeOf(business, payment, step, openedAt))]
    },
    cancelled: (payment, at) =>
      ['subscription.cancelled', 'subscription.updated'].map((type) =>
        subscription(type, payment, { status: 'cancelled', at, endsLater: true }),
      ),
    ended: (payment, at) =>
      ['subscription.expired', 'subscription.updated'].map((type) =>
        subscription(type, payment, { status: 'expired', at }),
      ),
    codeCreated: () => [],
    unknown: (at) =>
      event('reticulation.splined', 'unknown', at, { payload_type: 'Reticulation', id: dodoId('ret', at) }),
    namesOf: (payment) => ({
      payment: paymentId(payment),
      customer: customerId(payment),
      ...(payment.reason === 'purchase' && { checkout: checkoutId(payment) }),
      ...(payment.mode === 'subscription' && { subscription: subscriptionId(payment) }),
      ...(payment.discountCode && { discount: discountId(payment) ?? '' }),
    }),
    headers: (delivery, signing) => ({
      'user-agent': 'Dodo-Webhooks/1.0',
      ...standardHeaders(delivery, signing, keyFromBase64),
    }),
  }
}
