import type { PaymentReport, ReportBody } from './payment-report.ts'

type Refund = PaymentReport & { says: Extract<ReportBody, { kind: 'refund' }> }

/**
 * Finds the refund that released an uncaptured authorization. The processor reports it like any other refund, but no money was
 * returned, so it must not reduce the sale. It is the first refund with exactly the released amount; any further one is real.
 */
export const findReleasedRefund = (reports: PaymentReport[], refunds: Refund[]): string | null => {
  const cents = Math.max(0, ...reports.map(({ neverTakenCents }) => neverTakenCents ?? 0))
  if (cents === 0) return null
  const [released] = refunds
    .filter(({ says }) => says.grossCents === cents && says.state === 'made')
    .toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.says.refundId < b.says.refundId ? -1 : 1))
  return released?.says.refundId ?? null
}
