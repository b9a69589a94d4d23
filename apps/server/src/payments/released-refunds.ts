import type { PaymentReport, PaymentWords } from './payment-report.ts'

type Refund = PaymentReport & { says: Extract<PaymentWords, { kind: 'refund' }> }

/**
 * What was reserved on a card and never taken is given back by a refund, too, which looks like any other. It is known by its
 * amount, which the charge and the payment tell: nobody had that money, so nothing of the sale went back. One at most, the
 * first of that amount, for another of the same amount is a refund.
 */
export const releasedRefund = (reports: PaymentReport[], refunds: Refund[]): string | null => {
  const cents = Math.max(0, ...reports.map(({ neverTakenCents }) => neverTakenCents ?? 0))
  if (cents === 0) return null
  const [released] = refunds
    .filter(({ says }) => says.grossCents === cents && says.state === 'made')
    .toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.says.refundId < b.says.refundId ? -1 : 1))
  return released?.says.refundId ?? null
}
