import { createHmac } from 'node:crypto'
import { createFake } from '../create-fake.ts'
import type { DisputeStep, FakeOptions, Payment, Refund, Signing, Unsigned, Wire, WireEvent } from '../fake.ts'
import { uuidFrom } from '../fake-ids.ts'
import { type InvoiceState, invoiceOf } from './invoice.ts'
import { customerId, invoiceId, orderId, orderIdentifier, subscriptionId } from './names.ts'
import { type OrderStatus, orderOf, type Store } from './order.ts'
import { resourceOf } from './resource.ts'
import { subscriptionOf } from './subscription.ts'

/** Lemon Squeezy. `account` is the store's id. */
export const createLemonSqueezy = (options: FakeOptions) => {
  const { account = '71043', mode = 'live', yenFactor = 1 } = options
  return createFake(wire({ id: Number(account), isTest: mode === 'test', yenFactor }), options)
}

const wire = (store: Store): Wire => {
  /** When each subscription started, by purchase. */
  const started = new Map<string, number>()

  const order = (type: string, payment: Payment, status: OrderStatus, updatedAt: number) =>
    event(store, type, payment.metadata, { data: orderOf(store, payment, { status, updatedAt }) })

  const invoice = (type: string, payment: Payment, state: InvoiceState) =>
    event(store, type, payment.metadata, invoiceOf(store, payment, state))

  const subscription = (
    type: string,
    payment: Payment,
    status: 'on_trial' | 'active' | 'cancelled' | 'expired',
    at: number,
  ) => {
    const startedAt = started.get(payment.purchase) ?? payment.at
    return event(store, type, payment.metadata, { data: subscriptionOf(store, payment, { status, at, startedAt }) })
  }

  const paid = (payment: Payment, previous: Payment | null) => {
    const { at } = payment
    const success = invoice('subscription_payment_success', payment, { status: 'paid', updatedAt: at })
    if (previous) return [success, subscription('subscription_updated', payment, 'active', at)]
    const created = order('order_created', payment, 'paid', at)
    if (payment.mode === 'payment') return [created]
    started.set(payment.purchase, at)
    const status = payment.trialDays === null ? ('active' as const) : ('on_trial' as const)
    const begin = ['subscription_created', 'subscription_updated'].map((type) =>
      subscription(type, payment, status, at),
    )
    return status === 'on_trial' ? [created, ...begin] : [created, ...begin, success]
  }

  /** A first subscription payment is refunded as an order and as an invoice, with the same cumulative amount. */
  const refunded = (payment: Payment, { at, isFull, outcome }: Refund) => {
    if (outcome !== 'succeeds') return []
    const status = isFull ? ('refunded' as const) : ('partial_refund' as const)
    return [
      ...(payment.reason === 'purchase' ? [order('order_refunded', payment, status, at)] : []),
      ...(payment.mode === 'subscription'
        ? [invoice('subscription_payment_refunded', payment, { status, updatedAt: at })]
        : []),
    ]
  }

  /** There are no dispute events. An order found to be fraudulent says so in its status. */
  const isDisputable = ({ reason }: Payment) => reason === 'purchase'
  const disputed = (payment: Payment, _step: DisputeStep, at: number) =>
    isDisputable(payment) ? [order('order_refunded', payment, 'fraudulent', at)] : []

  return {
    name: 'lemonsqueezy',
    paid,
    refunded,
    disputeSteps: ['opened'],
    isDisputable,
    disputed,
    cancelled: (payment, at) =>
      ['subscription_cancelled', 'subscription_updated'].map((type) => subscription(type, payment, 'cancelled', at)),
    ended: (payment, at) =>
      ['subscription_expired', 'subscription_updated'].map((type) => subscription(type, payment, 'expired', at)),
    codeCreated: () => [],
    unknown: (at) =>
      event(store, 'reticulation_splined', {}, { data: resourceOf('reticulations', at / 1000, {}, ['store']) }),
    namesOf: (payment) => ({
      customer: String(customerId(payment)),
      ...(payment.reason === 'purchase' && {
        order: String(orderId(payment)),
        identifier: orderIdentifier(payment),
      }),
      ...(payment.mode === 'subscription' && {
        invoice: String(invoiceId(payment)),
        subscription: String(subscriptionId(payment)),
      }),
    }),
    headers,
  }
}

/** Without an id: a retry and another event of the same kind differ only in their data. */
const event = (store: Store, type: string, metadata: Record<string, string>, content: object): WireEvent => ({
  id: null,
  type,
  content: {
    meta: {
      test_mode: store.isTest,
      event_name: type,
      webhook_id: uuidFrom('lemonsqueezy webhook', store.id),
      ...(Object.keys(metadata).length > 0 && { custom_data: metadata }),
    },
    ...content,
  },
})

/** `X-Signature`: the body alone, in hexadecimal. A webhook has one secret, so there is never a second signature. */
const headers = ({ type, body }: Unsigned, { secrets }: Signing) => ({
  'x-event-name': type,
  'x-signature': createHmac('sha256', secrets[0] ?? '')
    .update(body)
    .digest('hex'),
})
