import { newEvent, type ProcessorEvent } from './event.ts'
import {
  checkoutStarted,
  customer,
  disputed,
  intentCreated,
  invoicePaid,
  type Line,
  paymentFailed,
  paymentPending,
  paymentSucceeded,
  refunded,
  refundFailed,
  renewalStarted,
  session,
  subscribed,
} from './event-lines.ts'
import type { Dispute } from './objects/dispute.ts'
import type { Refund } from './objects/refund.ts'
import { subscriptionOf } from './objects/subscription.ts'
import type { Payment } from './payment.ts'

/** Something that happened to a payment, with the payment as it is afterwards. */
export type PaymentUpdate =
  /** A checkout paid immediately, or a completed `setup` checkout. */
  | { kind: 'checkout_completed'; payment: Payment }
  /** A checkout by bank debit that the bank has not confirmed yet. */
  | { kind: 'checkout_pending'; payment: Payment }
  | { kind: 'pending_succeeded'; payment: Payment }
  | { kind: 'pending_failed'; payment: Payment }
  | { kind: 'renewed'; payment: Payment }
  /** A payment without a checkout, for example from a merchant's own form. */
  | { kind: 'intent_paid'; payment: Payment }
  | { kind: 'refunded'; payment: Payment; refund: Refund }
  | { kind: 'refund_failed'; payment: Payment; refund: Refund }
  | { kind: 'dispute_opened' | 'dispute_closed'; payment: Payment; dispute: Dispute }
  | { kind: 'subscription_ended'; payment: Payment; at: number }

/** Creates every event of an update. Pure, so tests can build, shuffle and repeat them. */
export const createEvents = (update: PaymentUpdate): ProcessorEvent[] => {
  const { livemode, generation } = update.payment
  const at = timeOf(update)
  return linesOf(update).map(([type, object, previous]) =>
    newEvent({ type, object, ...(previous && { previous }), at, livemode, generation }),
  )
}

const timeOf = (update: PaymentUpdate) => {
  if ('refund' in update) return update.refund.at
  if ('dispute' in update) return update.dispute.at
  return 'at' in update ? update.at : update.payment.at
}

const linesOf = (update: PaymentUpdate): Line[] => {
  const { payment } = update
  switch (update.kind) {
    case 'checkout_completed':
      if (payment.mode === 'setup') return [...customer(payment), session('completed', payment)]
      return payment.mode === 'payment'
        ? [...intentCreated(payment), ...paymentSucceeded(payment), session('completed', payment)]
        : [...subscribed(payment), ...paymentSucceeded(payment), ...invoicePaid(payment), session('completed', payment)]
    case 'checkout_pending':
      return [...checkoutStarted(payment), ...paymentPending(payment), session('completed', payment)]
    case 'pending_succeeded':
      return [...paymentSucceeded(payment), ...invoicePaid(payment), session('async_payment_succeeded', payment)]
    case 'pending_failed':
      return [...paymentFailed(payment), session('async_payment_failed', payment)]
    case 'renewed':
      return [...renewalStarted(payment), ...paymentSucceeded(payment), ...invoicePaid(payment)]
    case 'intent_paid':
      return [...intentCreated(payment), ...paymentSucceeded(payment)]
    case 'refunded':
      return refunded(payment, update.refund)
    case 'refund_failed':
      return refundFailed(payment, update.refund)
    case 'dispute_opened':
    case 'dispute_closed':
      return disputed(payment, update.dispute)
    case 'subscription_ended':
      return [['customer.subscription.deleted', subscriptionOf({ ...payment, at: update.at }, 'canceled')]]
  }
}
