import { type Books, keepPayment, paymentIdOf, requireObject, requirePayment } from './books.ts'
import { randomId } from './ids.ts'
import { newPayment, type Payment, type PaymentOptions, renewalOf, totalCents } from './payment.ts'
import { noSuch, ProcessorError } from './processor-error.ts'
import type { Tell } from './tell.ts'

const now = () => Math.floor(Date.now() / 1000)

/** What can happen to a payment, by the wire, by a person on a page, or by a test. */
export const actionsOn = (books: Books, tell: Tell) => {
  const open = (account: string, told: Omit<PaymentOptions, 'name'>) => {
    const { generation, livemode } = books
    return newPayment({ generation, livemode, account, ...told, name: randomId('payment') })
  }

  const openSession = (account: string, id: string) => {
    const payment = requireObject(books, account, 'session', id)
    if (payment.status !== 'open') throw new ProcessorError(400, 'This Checkout Session is no longer open.')
    return payment
  }

  return {
    openCheckout: (account: string, told: Omit<PaymentOptions, 'name'>, checkoutUrl: (id: string) => string) => {
      const payment = open(account, { ...told, status: 'open' })
      return keepPayment(books, { ...payment, checkoutUrl: checkoutUrl(paymentIdOf(payment)) })
    },

    /** The customer pays: by card at once; by bank debit the answer comes later, through `settle`. */
    pay: (account: string, sessionId: string, how: 'card' | 'bank_debit' = 'card') => {
      const session = openSession(account, sessionId)
      const isPending = how === 'bank_debit' && session.ids.intent !== null
      const payment = keepPayment(books, {
        ...session,
        at: now(),
        status: isPending ? 'processing' : 'paid',
        method: isPending ? 'us_bank_account' : 'card',
      })
      tell.happening({ kind: isPending ? 'checkout_pending' : 'checkout_completed', payment })
      return payment
    },

    /** The bank answers. */
    settle: (account: string, id: string, outcome: 'succeeds' | 'fails') => {
      const pending = requirePayment(books, account, id)
      if (pending.status !== 'processing') throw new ProcessorError(400, 'This payment does not wait for a bank.')
      const status = outcome === 'succeeds' ? 'paid' : 'failed'
      const payment = keepPayment(books, { ...pending, at: now(), status })
      tell.happening({ kind: outcome === 'succeeds' ? 'pending_succeeded' : 'pending_failed', payment })
      return payment
    },

    payIntent: (account: string, told: Omit<PaymentOptions, 'name'>) => {
      const payment = keepPayment(books, open(account, { ...told, kind: 'bare_intent' }))
      tell.happening({ kind: 'intent_paid', payment })
      return payment
    },

    renew: (account: string, subscriptionId: string) => {
      const latest = requireObject(books, account, 'subscription', subscriptionId)
      if (books.endedSubscriptions.has(subscriptionId)) throw new ProcessorError(400, 'This subscription has ended.')
      const payment = keepPayment(books, renewalOf(latest, { name: randomId('renewal'), at: now() }))
      tell.happening({ kind: 'renewed', payment })
      return payment
    },

    endSubscription: (account: string, subscriptionId: string) => {
      const payment = requireObject(books, account, 'subscription', subscriptionId)
      books.endedSubscriptions.add(subscriptionId)
      tell.happening({ kind: 'subscription_ended', payment, at: now() })
      return payment
    },

    ...moneyBack(books, tell),
  }
}

const moneyBack = (books: Books, tell: Tell) => ({
  /** All that is left, unless an amount is given. */
  refund: (account: string, id: string, { amountCents, reason = null }: RefundOptions = {}) => {
    const paid = requirePayment(books, account, id)
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
    const payment = keepPayment(books, { ...paid, refundedCents: paid.refundedCents + cents })
    const refund = { id: randomId('re'), amountCents: cents, at: now(), reason, status: 'succeeded' as const }
    books.refunds.set(refund.id, { ...refund, paymentId: paymentIdOf(payment) })
    tell.happening({ kind: 'refunded', payment, refund })
    return { payment, refund }
  },

  /** The customer's bank sends the money back. */
  failRefund: (account: string, refundId: string) => {
    const refund = books.refunds.get(refundId)
    if (!refund || refund.status === 'failed') throw noSuch('refund', refundId)
    const before = requirePayment(books, account, refund.paymentId)
    const payment = keepPayment(books, { ...before, refundedCents: before.refundedCents - refund.amountCents })
    const failed = { ...refund, status: 'failed' as const }
    books.refunds.set(refundId, failed)
    tell.happening({ kind: 'refund_failed', payment, refund: { ...failed, at: now() } })
    return { payment, refund: failed }
  },

  openDispute: (account: string, id: string) => {
    const payment = keepPayment(books, { ...requirePayment(books, account, id), disputed: true })
    const dispute = { id: randomId('dp'), at: now(), status: 'needs_response' as const }
    books.disputes.set(dispute.id, { ...dispute, paymentId: paymentIdOf(payment) })
    tell.happening({ kind: 'dispute_opened', payment, dispute })
    return dispute
  },

  closeDispute: (account: string, disputeId: string, status: 'won' | 'lost') => {
    const opened = books.disputes.get(disputeId)
    if (opened?.status !== 'needs_response') throw noSuch('dispute', disputeId)
    const payment: Payment = requirePayment(books, account, opened.paymentId)
    const dispute = { ...opened, status, at: now() }
    books.disputes.set(disputeId, dispute)
    tell.happening({ kind: 'dispute_closed', payment, dispute })
    return dispute
  },
})

type RefundOptions = { amountCents?: number; reason?: string | null }
export type Actions = ReturnType<typeof actionsOn>
