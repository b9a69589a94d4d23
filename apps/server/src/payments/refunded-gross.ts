import type { PaymentReport, PaymentWords } from './payment-report.ts'

type Refund = PaymentReport & { says: Extract<PaymentWords, { kind: 'refund' }> }
type Snapshot = PaymentReport & { says: Extract<PaymentWords, { kind: 'refunded_in_all' }> }

type Known = { charge: string | null; cents: number; failedAt: number | null }
type Total = { charge: string | null; at: number; cents: number }

/**
 * What has been refunded of a payment, of what the customer paid. Single refunds and totals tell of the same money, so the
 * greater of the two counts. A refund that failed is as if it had never been, and a total from before it failed is too high
 * by it. A payment may have been made in several charges, and a total is that of one charge: those add up.
 */
export const refundedGross = (refunds: Refund[], totals: Snapshot[]): number => {
  const chargeOf = chargesIn([...refunds, ...totals])
  const known = [...Map.groupBy(refunds, ({ says }) => says.refundId).values()].map((reports): Known => {
    const failures = reports.filter(({ says }) => says.state === 'failed').map(({ at }) => at.getTime())
    const charges = reports.flatMap((report) => chargeOf(report) ?? []).toSorted()
    return {
      charge: charges[0] ?? null,
      cents: Math.max(...reports.map(({ says }) => says.grossCents)),
      failedAt: failures.length > 0 ? Math.min(...failures) : null,
    }
  })
  const told = totals.map((report) => ({
    charge: chargeOf(report),
    at: report.at.getTime(),
    cents: report.says.grossCents,
  }))
  const charges = [...new Set([...known, ...told].flatMap(({ charge }) => charge ?? []))]
  const byCharge = charges.map((charge) => {
    const isOf = (one: { charge: string | null }) => one.charge === charge
    return Math.max(0, single(known.filter(isOf)), ...inAll(told.filter(isOf), known))
  })
  const sum = byCharge.reduce((total, cents) => total + cents, 0)
  // What does not say of which charge it is may be part of any of them.
  const ofPayment = told.filter(({ charge }) => charge === null)
  return Math.max(sum, single(known), ...inAll(ofPayment, known))
}

/** The charge comes first in the names of what was refunded of it. A name that follows another is the payment's. */
const chargesIn = (reports: PaymentReport[]) => {
  const ofPayment = new Set(reports.flatMap(({ references: [, ...others] }) => others))
  return ({ references: [first] }: PaymentReport) => (ofPayment.has(first) ? null : first)
}

const single = (refunds: Known[]) =>
  refunds.filter(({ failedAt }) => failedAt === null).reduce((total, { cents }) => total + cents, 0)

const inAll = (totals: Total[], refunds: Known[]) =>
  totals.map(({ charge, at, cents }) => {
    const isWithin = (refund: Known) => charge === null || refund.charge === null || refund.charge === charge
    const failedSince = refunds.filter(
      (refund) => refund.failedAt !== null && refund.failedAt >= at && isWithin(refund),
    )
    return cents - failedSince.reduce((total, refund) => total + refund.cents, 0)
  })
