import { randomId } from './ids.ts'
import { newPayment, type Payment, type PaymentOptions, renewalOf, totalCents } from './payment.ts'
import { noSuch, ProcessorError } from './processor-error.ts'
import type { Publisher } from './publisher.ts'
import { paymentIdOf, requireObject, requirePayment, type Store, savePayment } from './store.ts'

const now = () => Math.floor(Date.now() / 1000)

/** Everything the API, the pages and tests can do to a payment. */
export const createActions = (store: Store, publisher: Publisher) => {
  const open = (account: string, options: Omit<PaymentOptions, 'name'>) => {
    const { generation, livemode } = store
    return newPayment({ generation, livemode, account, ...options, name: randomId('payment') })
  }

  const openSession = (account: string, id: string) => {
    const payment = requireObject(store, account, 'session', id)
    if (payment.status !== 'open') throw new ProcessorError(400, 'This Checkout Session is no longer open.')
    return payment
  }

  return {
    openCheckout: (account: string, options: Omit<PaymentOptions, 'name'>, checkoutUrl: (id: string) => string) => {
      const payment = open(account, { ...options, status: 'open' })
      return savePayment(store, { ...payment, checkoutUrl: checkoutUrl(paymentIdOf(payment)) })
    },

    /** Card payments succeed immediately; bank debits wait for `settle`. */
    pay: (account: string, sessionId: string, how: 'card' | 'bank_debit' = 'card') => {
      const session = openSession(account, sessionId)
      const isPending = how === 'bank_debit' && session.ids.intent !== null
      const payment = savePayment(store, {
        ...session,
        at: now(),
        status: isPending ? 'processing' : 'paid',
        method: isPending ? 'us_bank_account' : 'card',
      })
      publisher.publish({ kind: isPending ? 'checkout_pending' : 'checkout_completed', payment })
      return payment
    },

    /** The bank confirms or declines a pending payment. */
    settle: (account: string, id: string, outcome: 'succeeds' | 'fails') => {
      const pending = requirePayment(store, account, id)
      if (pending.status !== 'processing') throw new ProcessorError(400, 'This payment is not pending.')
      const status = outcome === 'succeeds' ? 'paid' : 'failed'
      const payment = savePayment(store, { ...pending, at: now(), status })
      publisher.publish({ kind: outcome === 'succeeds' ? 'pending_succeeded' : 'pending_failed', payment })
      return payment
    },

    payIntent: (account: string, options: Omit<PaymentOptions, 'name'>) => {
      const payment = savePayment(store, open(account, { ...options, kind: 'bare_intent' }))
      publisher.publish({ kind: 'intent_paid', payment })
      return payment
    },

    renew: (account: string, subscriptionId: string) => {
      const latest = requireObject(store, account, 'subscription', subscriptionId)
      if (store.endedSubscriptions.has(subscriptionId)) throw new ProcessorError(400, 'This subscription has ended.')
      const payment = savePayment(store, renewalOf(latest, { name: randomId('renewal'), at: now() }))
      publisher.publish({ kind: 'renewed', payment })
      return payment
    },

    endSubscription: (account: string, subscriptionId: string) => {
      const payment = requireObject(store, account, 'subscription', subscriptionId)
      store.endedSubscriptions.add(subscriptionId)
      publisher.publish({ kind: 'subscription_ended', payment, at: now() })
      return payment
    },

    ...refundsAndDisputes(store, publisher),
  }
}

const refundsAndDisputes = (store: Store, publisher: Publisher) => ({
  /** Refunds everything that remains unless an amount is given. */
  refund: (account: string, id: string, { amountCents, reason = null }: RefundOptions = {}) => {
    const paid = requirePayment(store, account, id)
    if (paid.status !== 'paid') throw new ProcessorError(400, 'This payment has not succeeded.', { param: 'charge' })
    const leftCents = totalCents(paid) - paid.refundedCents
    if (leftCents === 0)
      throw new ProcessorError(400, `Charge ${paid.ids.charge} has already been refunded.`, {
        code: 'charge_already_refunded',
      })
    const cents = amountCents ?? leftCents
    if (cents < 1 || cents > leftCents)
      throw new ProcessorError(
        400,
        `Refund amount (${cents}) is greater than unrefunded amount on charge (${leftCents})`,
        {
          param: 'amount',
        },
      )
    const payment = savePayment(store, { ...paid, refundedCents: paid.refundedCents + cents })
    const refund = { id: randomId('re'), amountCents: cents, at: now(), reason, status: 'succeeded' as const }
    store.refunds.set(refund.id, { ...refund, paymentId: paymentIdOf(payment) })
    publisher.publish({ kind: 'refunded', payment, refund })
    return { payment, refund }
  },

  /** The customer's bank returns the refund. */
  failRefund: (account: string, refundId: string) => {
    const refund = store.refunds.get(refundId)
    if (!refund || refund.status === 'failed') throw noSuch('refund', refundId)
    const before = requirePayment(store, account, refund.paymentId)
    const payment = savePayment(store, { ...before, refundedCents: before.refundedCents - refund.amountCents })
    const failed = { ...refund, status: 'failed' as const }
    store.refunds.set(refundId, failed)
    publisher.publish({ kind: 'refund_failed', payment, refund: { ...failed, at: now() } })
    return { payment, refund: failed }
  },

  openDispute: (account: string, id: string) => {
    const payment = savePayment(store, { ...requirePayment(store, account, id), disputed: true })
    const dispute = { id: randomId('dp'), at: now(), status: 'needs_response' as const }
    store.disputes.set(dispute.id, { ...dispute, paymentId: paymentIdOf(payment) })
    publisher.publish({ kind: 'dispute_opened', payment, dispute })
    return dispute
  },

  closeDispute: (account: string, disputeId: string, status: 'won' | 'lost') => {
    const opened = store.disputes.get(disputeId)
    if (opened?.status !== 'needs_response') throw noSuch('dispute', disputeId)
    const payment: Payment = requirePayment(store, account, opened.paymentId)
    const dispute = { ...opened, status, at: now() }
    store.disputes.set(disputeId, dispute)
    publisher.publish({ kind: 'dispute_closed', payment, dispute })
    return dispute
  },
})

type RefundOptions = { amountCents?: number; reason?: string | null }
export type Actions = ReturnType<typeof createActions>
