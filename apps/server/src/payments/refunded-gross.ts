import type { PaymentReport, PaymentWords } from './payment-report.ts'

type Refund = PaymentReport & { says: Extract<PaymentWords, { kind: 'refund' }> }
type Snapshot = PaymentReport & { says: Extract<PaymentWords, { kind: 'refunded_in_all' }> }

/**
 * What has been refunded of a payment, of what the customer paid. Single refunds and totals tell of the same money, so the
 * greater of the two counts. A refund that failed is as if it had never been, and a total from before it failed is too high
 * by it.
 */
export const refundedGross = (refunds: Refund[], totals: Snapshot[]): number => {
  const byId = Map.groupBy(refunds, ({ says }) => says.refundId)
  const known = [...byId.values()].map((reports) => {
    const failures = reports.filter(({ says }) => says.state === 'failed').map(({ at }) => at.getTime())
    return {
      cents: Math.max(...reports.map(({ says }) => says.grossCents)),
      failedAt: failures.length > 0 ? Math.min(...failures) : null,
    }
  })
  const sum = (of: typeof known) => of.reduce((total, { cents }) => total + cents, 0)
  const single = sum(known.filter(({ failedAt }) => failedAt === null))
  const inAll = totals.map(({ at, says }) => {
    const failedSince = known.filter(({ failedAt }) => failedAt !== null && failedAt >= at.getTime())
    return says.grossCents - sum(failedSince)
  })
  return Math.max(0, single, ...inAll)
}
