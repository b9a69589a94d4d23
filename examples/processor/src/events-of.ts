import { newEvent, type ProcessorEvent } from './event.ts'
import {
  begun,
  customer,
  disputed,
  intentCreated,
  invoicePaid,
  type Line,
  moneyArrived,
  moneyFailed,
  moneyUnderWay,
  refunded,
  refundFailed,
  renewing,
  session,
  subscribed,
} from './event-lines.ts'
import type { Dispute } from './objects/dispute.ts'
import type { Refund } from './objects/refund.ts'
import { subscriptionOf } from './objects/subscription.ts'
import type { Payment } from './payment.ts'

/** Something that happens to a payment. The payment is given as it is afterwards. */
export type Happening =
  /** A checkout whose money is there at once; also the end of one that only sets something up. */
  | { kind: 'checkout_completed'; payment: Payment }
  /** A checkout by bank debit: bought, and the bank has not answered yet. */
  | { kind: 'checkout_pending'; payment: Payment }
  | { kind: 'pending_succeeded'; payment: Payment }
  | { kind: 'pending_failed'; payment: Payment }
  | { kind: 'renewed'; payment: Payment }
  /** A payment without a checkout, as by a merchant's own payment form. */
  | { kind: 'intent_paid'; payment: Payment }
  | { kind: 'refunded'; payment: Payment; refund: Refund }
  | { kind: 'refund_failed'; payment: Payment; refund: Refund }
  | { kind: 'dispute_opened' | 'dispute_closed'; payment: Payment; dispute: Dispute }
  | { kind: 'subscription_ended'; payment: Payment; at: number }

/** Every event of a happening. Pure, so that a test can build, shuffle and repeat them. */
export const eventsOf = (happening: Happening): ProcessorEvent[] => {
  const { livemode, generation } = happening.payment
  const at = momentOf(happening)
  return linesOf(happening).map(([type, object, previous]) =>
    newEvent({ type, object, ...(previous && { previous }), at, livemode, generation }),
  )
}

const momentOf = (happening: Happening) => {
  if ('refund' in happening) return happening.refund.at
  if ('dispute' in happening) return happening.dispute.at
  return 'at' in happening ? happening.at : happening.payment.at
}

const linesOf = (happening: Happening): Line[] => {
  const { payment } = happening
  switch (happening.kind) {
    case 'checkout_completed':
      if (payment.mode === 'setup') return [...customer(payment), session('completed', payment)]
      return payment.mode === 'payment'
        ? [...intentCreated(payment), ...moneyArrived(payment), session('completed', payment)]
        : [...subscribed(payment), ...moneyArrived(payment), ...invoicePaid(payment), session('completed', payment)]
    case 'checkout_pending':
      return [...begun(payment), ...moneyUnderWay(payment), session('completed', payment)]
    case 'pending_succeeded':
      return [...moneyArrived(payment), ...invoicePaid(payment), session('async_payment_succeeded', payment)]
    case 'pending_failed':
      return [...moneyFailed(payment), session('async_payment_failed', payment)]
    case 'renewed':
      return [...renewing(payment), ...moneyArrived(payment), ...invoicePaid(payment)]
    case 'intent_paid':
      return [...intentCreated(payment), ...moneyArrived(payment)]
    case 'refunded':
      return refunded(payment, happening.refund)
    case 'refund_failed':
      return refundFailed(payment, happening.refund)
    case 'dispute_opened':
    case 'dispute_closed':
      return disputed(payment, happening.dispute)
    case 'subscription_ended':
      return [['customer.subscription.deleted', subscriptionOf({ ...payment, at: happening.at }, 'canceled')]]
  }
}
