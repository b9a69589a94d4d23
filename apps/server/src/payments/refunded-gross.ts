import type { PaymentReport, ReportBody } from './payment-report.ts'

type RefundReport = PaymentReport & { says: Extract<ReportBody, { kind: 'refund' }> }
type TotalReport = PaymentReport & { says: Extract<ReportBody, { kind: 'refunded_in_all' }> }

type KnownRefund = { charge: string | null; cents: number; failedAt: number | null }
type Total = { charge: string | null; at: number; cents: number }

/**
 * Calculates the gross amount refunded. Single refunds and totals describe the same money, so the greater of the two counts.
 * Failed refunds do not count, and a total reported before a failure is reduced by the failed refund. Totals are per charge, so
 * the totals of a payment with several charges are added up.
 */
export const refundedGross = (refunds: RefundReport[], totals: TotalReport[]): number => {
  const chargeOf = readCharges([...refunds, ...totals])
  const known = [...Map.groupBy(refunds, ({ says }) => says.refundId).values()].map((reports): KnownRefund => {
    const failures = reports.filter(({ says }) => says.state === 'failed').map(({ at }) => at.getTime())
    const charges = reports.flatMap((report) => chargeOf(report) ?? []).toSorted()
    return {
      charge: charges[0] ?? null,
      cents: Math.max(...reports.map(({ says }) => says.grossCents)),
      failedAt: failures.length > 0 ? Math.min(...failures) : null,
    }
  })
  const reported = totals.map((report) => ({
    charge: report.says.isOfPayment ? null : chargeOf(report),
    at: report.at.getTime(),
    cents: report.says.grossCents,
  }))
  const charges = [...new Set([...known, ...reported].flatMap(({ charge }) => charge ?? []))]
  const byCharge = charges.map((charge) => {
    const isSameCharge = (one: { charge: string | null }) => one.charge === charge
    return Math.max(0, sumRefunds(known.filter(isSameCharge)), ...correctTotals(reported.filter(isSameCharge), known))
  })
  const sum = byCharge.reduce((total, cents) => total + cents, 0)
  // A total without a charge may include refunds of any charge.
  const withoutCharge = reported.filter(({ charge }) => charge === null)
  return Math.max(sum, sumRefunds(known), ...correctTotals(withoutCharge, known))
}

/** The first reference of a report is its charge, unless another report lists it later, as a reference of the payment. */
const readCharges = (reports: PaymentReport[]) => {
  const ofPayment = new Set(reports.flatMap(({ references: [, ...others] }) => others))
  return ({ references: [first] }: PaymentReport) => (ofPayment.has(first) ? null : first)
}

const sumRefunds = (refunds: KnownRefund[]) =>
  refunds.filter(({ failedAt }) => failedAt === null).reduce((total, { cents }) => total + cents, 0)

/** Subtracts the refunds that failed after each total was reported. */
const correctTotals = (totals: Total[], refunds: KnownRefund[]) =>
  totals.map(({ charge, at, cents }) => {
    const isIncluded = (refund: KnownRefund) => charge === null || refund.charge === null || refund.charge === charge
    const failedSince = refunds.filter(
      (refund) => refund.failedAt !== null && refund.failedAt >= at && isIncluded(refund),
    )
    return cents - failedSince.reduce((total, refund) => total + refund.cents, 0)
  })

/**
 * Finds the refund that released an uncaptured authorization. The processor reports it like any other refund, but no money was
 * returned, so it must not reduce the sale. It is the first refund with exactly the released amount; any further one is real.
 */
export const findReleasedRefund = (reports: PaymentReport[], refunds: RefundReport[]): string | null => {
  const cents = Math.max(0, ...reports.map(({ neverTakenCents }) => neverTakenCents ?? 0))
  if (cents === 0) return null
  const [released] = refunds
    .filter(({ says }) => says.grossCents === cents && says.state === 'made')
    .toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.says.refundId < b.says.refundId ? -1 : 1))
  return released?.says.refundId ?? null
}
