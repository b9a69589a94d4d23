import type { ReasonCode } from '@tributary/contract'
import type { PaymentState } from './fold-reports.ts'
import { type PaymentReport, SAME_PAYMENT } from './payment-report.ts'
import type { ReportDecision } from './payment-reports.ts'

type Context = {
  state: PaymentState
  /** The payment's sale, if any; `reason` is set while it is uncredited. */
  sale: { currency: string; reason: string | null } | null
  /** The payment names a program of another workspace. */
  isForeign: boolean
}

/** Decides the outcome of one report, given all reports of its payment. */
export const decideOutcome = ({ says, neverTakenCents }: PaymentReport, context: Context): ReportDecision => {
  const { state, sale } = context
  switch (says.kind) {
    case 'paid':
      return says.grossCents === 0 || says.netCents === 0 ? ignored('nothing_paid') : decidePaymentOutcome(context)
    case 'pending':
      if (state.paid) return applied('payment_settled')
      return state.isPending ? waiting('payment_pending') : ignored('payment_failed')
    case 'failed':
      return ignored('payment_failed')
    case SAME_PAYMENT.kind:
      return applied('references_joined')
    case 'dispute':
      return sale ? applied('dispute_recorded') : waiting('dispute_before_sale')
    case 'refund':
    case 'refunded_in_all': {
      const isReleased =
        says.kind === 'refund' ? says.refundId === state.releasedRefundId : neverTakenCents !== undefined
      if (isReleased && (says.kind === 'refund' || says.grossCents === 0)) return ignored('never_taken')
      const currency = state.paid?.currency ?? sale?.currency ?? says.currency
      if (says.currency !== currency) return { outcome: 'refused', reason: 'refund_other_currency' }
      if (!sale) return waiting('refund_before_sale')
      return applied(says.kind === 'refund' && says.state === 'failed' ? 'refund_failed' : 'refund_recorded')
    }
  }
}

const decidePaymentOutcome = ({ state, sale, isForeign }: Context): ReportDecision => {
  if (isForeign) return { outcome: 'refused', reason: 'program_of_others' }
  if (!sale) return ignored('no_metadata')
  if (state.attribution && sale.currency !== state.paid?.currency)
    return { outcome: 'refused', reason: 'sale_other_currency' }
  return applied((sale.reason as ReasonCode | null) ?? 'payment_recorded')
}

const applied = (reason: ReasonCode): ReportDecision => ({ outcome: 'applied', reason })
const waiting = (reason: ReasonCode): ReportDecision => ({ outcome: 'waiting', reason })
const ignored = (reason: ReasonCode): ReportDecision => ({ outcome: 'ignored', reason })
