import type { ReasonCode } from '@tributary/contract'
import type { PaymentState } from './fold-reports.ts'
import type { PaymentReport } from './payment-report.ts'
import type { ReportFate } from './payment-reports.ts'

type Standing = {
  state: PaymentState
  /** The sale that the payment has, if it has one; a reason where it is credited to nobody. */
  sale: { currency: string; reason: string | null } | null
  /** The payment names a program of somebody else. */
  isForeign: boolean
}

/** What became of one report, now that all of them are known. */
export const fateOf = ({ says, neverTakenCents }: PaymentReport, standing: Standing): ReportFate => {
  const { state, sale } = standing
  switch (says.kind) {
    case 'paid':
      return says.grossCents === 0 || says.netCents === 0 ? ignored('nothing_paid') : fateOfPayment(standing)
    case 'pending':
      if (state.paid) return applied('payment_settled')
      return state.isPending ? waiting('payment_pending') : ignored('payment_failed')
    case 'failed':
      return ignored('payment_failed')
    case 'tie':
      return applied('references_joined')
    case 'dispute':
      return sale ? applied('dispute_recorded') : waiting('dispute_before_sale')
    case 'refund':
    case 'refunded_in_all': {
      const isReleased =
        says.kind === 'refund' ? says.refundId === state.releasedRefundId : neverTakenCents !== undefined
      if (isReleased && (says.kind === 'refund' || says.grossCents === 0)) return ignored('never_taken')
      const currency = state.paid?.currency ?? sale?.currency ?? says.currency
      if (says.currency !== currency) return { fate: 'refused', reason: 'refund_other_currency' }
      if (!sale) return waiting('refund_before_sale')
      return applied(says.kind === 'refund' && says.state === 'failed' ? 'refund_failed' : 'refund_recorded')
    }
  }
}

const fateOfPayment = ({ state, sale, isForeign }: Standing): ReportFate => {
  if (isForeign) return { fate: 'refused', reason: 'program_of_others' }
  if (!sale) return ignored('no_metadata')
  if (state.attribution && sale.currency !== state.paid?.currency)
    return { fate: 'refused', reason: 'sale_other_currency' }
  return applied((sale.reason as ReasonCode | null) ?? 'payment_recorded')
}

const applied = (reason: ReasonCode): ReportFate => ({ fate: 'applied', reason })
const waiting = (reason: ReasonCode): ReportFate => ({ fate: 'waiting', reason })
const ignored = (reason: ReasonCode): ReportFate => ({ fate: 'ignored', reason })
