import { chargeOf } from './objects/charge.ts'
import { checkoutSessionOf } from './objects/checkout-session.ts'
import { customerOf } from './objects/customer.ts'
import { type Dispute, disputeOf } from './objects/dispute.ts'
import { invoiceOf, invoicePaymentOf } from './objects/invoice.ts'
import { paymentIntentOf } from './objects/payment-intent.ts'
import { type Refund, refundOf } from './objects/refund.ts'
import { subscriptionOf } from './objects/subscription.ts'
import type { Payment } from './payment.ts'
import type { WireObject } from './shapes.ts'

/** An event type and its object, in the order the processor sends them. */
export type Line = [type: string, object: WireObject, previous?: WireObject]

export const session = (word: string, payment: Payment): Line => [
  `checkout.session.${word}`,
  checkoutSessionOf(payment),
]

export const customer = (payment: Payment): Line[] =>
  payment.ids.customer ? [['customer.created', customerOf(payment)]] : []

export const checkoutStarted = (payment: Payment) =>
  payment.mode === 'subscription' ? subscribed(payment) : intentCreated(payment)

export const intentCreated = (payment: Payment): Line[] =>
  payment.ids.intent ? [['payment_intent.created', paymentIntentOf({ ...payment, status: 'open' })]] : []

export const subscribed = (payment: Payment): Line[] => [
  ...customer(payment),
  ['invoice.created', invoiceOf(payment, 'draft')],
  ['customer.subscription.created', subscriptionOf(payment, payment.ids.intent ? 'incomplete' : 'trialing')],
  ['invoice.finalized', invoiceOf(payment, 'open')],
  ...intentCreated(payment),
]

export const renewalStarted = (payment: Payment): Line[] => [
  ['invoice.created', invoiceOf(payment, 'draft')],
  ['customer.subscription.updated', subscriptionOf(payment, 'active'), { latest_invoice: null }],
  ['invoice.finalized', invoiceOf(payment, 'open')],
  ...intentCreated(payment),
]

export const paymentSucceeded = (payment: Payment): Line[] =>
  payment.ids.intent
    ? [
        ['charge.succeeded', chargeOf(payment)],
        ['payment_intent.succeeded', paymentIntentOf(payment)],
      ]
    : []

export const paymentPending = (payment: Payment): Line[] => [
  ['charge.pending', chargeOf(payment)],
  ['payment_intent.processing', paymentIntentOf(payment)],
]

export const paymentFailed = (payment: Payment): Line[] => [
  ['charge.failed', chargeOf(payment)],
  ['payment_intent.payment_failed', paymentIntentOf(payment)],
  ...(payment.ids.invoice
    ? ([
        ['invoice.payment_failed', invoiceOf(payment, 'open')],
        ['customer.subscription.updated', subscriptionOf(payment, 'past_due'), { status: 'active' }],
      ] satisfies Line[])
    : []),
]

export const invoicePaid = (payment: Payment): Line[] => {
  if (!payment.ids.invoice) return []
  const paid = invoiceOf(payment, 'paid')
  const isFirst = payment.kind !== 'renewal' && payment.ids.intent
  return [
    ...(isFirst
      ? ([
          ['customer.subscription.updated', subscriptionOf(payment, 'active'), { status: 'incomplete' }],
        ] satisfies Line[])
      : []),
    ['invoice.paid', paid],
    ['invoice.payment_succeeded', paid],
    ...(payment.generation === 2026 && payment.ids.invoicePayment
      ? ([['invoice_payment.paid', invoicePaymentOf(payment)]] satisfies Line[])
      : []),
  ]
}

export const refunded = (payment: Payment, refund: Refund): Line[] => {
  const before = { amount_refunded: payment.refundedCents - refund.amountCents, refunded: false }
  return [
    ['refund.created', refundOf(payment, { ...refund, status: 'pending' })],
    ['charge.refunded', chargeOf(payment), before],
    ['refund.updated', refundOf(payment, refund), { status: 'pending' }],
    ['charge.refund.updated', refundOf(payment, refund), { status: 'pending' }],
  ]
}

export const refundFailed = (payment: Payment, refund: Refund): Line[] => {
  const failed = refundOf(payment, { ...refund, status: 'failed' })
  return [
    ['refund.failed', failed],
    ['refund.updated', failed, { status: 'succeeded' }],
    ['charge.refund.updated', failed, { status: 'succeeded' }],
  ]
}

export const disputed = (payment: Payment, dispute: Dispute): Line[] => {
  const object = disputeOf(payment, dispute)
  if (dispute.status === 'needs_response')
    return [
      ['charge.dispute.created', object],
      ['charge.dispute.funds_withdrawn', object],
    ]
  if (dispute.status === 'lost') return [['charge.dispute.closed', object]]
  return [
    ['charge.dispute.closed', object],
    ['charge.dispute.funds_reinstated', object],
  ]
}
