import { byDescending, latestTime, tieBreaker } from './compare-reports.ts'
import { type Attribution, listNamedCustomers } from './named-customers.ts'
import type { PaidAmount, ReceivedReport, ReportBody } from './payment-report.ts'
import { refundedGross } from './refunded-gross.ts'
import { findReleasedRefund } from './released-refunds.ts'

/** The state of a payment according to all of its reports. */
export type PaymentState = {
  /** Null until a report says that the payment succeeded. */
  paid: {
    grossCents: number
    /** Without tax, if a report states the tax. */
    netCents: number
    currency: string
    soldAt: Date
    /** Of the sale: the first reference of the report that the amount comes from. */
    invoiceId: string
    subscriptionId: string | null
  } | null
  isPending: boolean
  /** The customer of the sale, if a report names one. */
  attribution: Attribution | null
  /** All customers that reports name; several if reports contradict each other. */
  named: Attribution[]
  refundedGrossCents: number
  refundIds: string[]
  /** The refund that released an authorized amount that was never captured. */
  releasedRefundId: string | null
  disputes: { disputeId: string; state: 'open' | 'won' | 'lost'; grossCents: number | null }[]
}

type ReportOf<Kind extends ReportBody['kind']> = ReceivedReport & { says: Extract<ReportBody, { kind: Kind }> }

const isKind =
  <Kind extends ReportBody['kind']>(kind: Kind) =>
  (report: ReceivedReport): report is ReportOf<Kind> =>
    report.says.kind === kind

/** From least to most complete. */
const SOURCES: PaidAmount['source'][] = ['payment', 'checkout', 'invoice']

/**
 * Derives a payment from the set of its reports. Every value is chosen by the content of the reports, never by their order or
 * number, so late and duplicate events cannot change an amount.
 */
export const foldReports = (reports: ReceivedReport[], saleCurrency: string | null = null): PaymentState => {
  const paid = foldPaid(reports.filter(isKind('paid')), reports.filter(isKind('pending')))
  const currency = paid?.currency ?? saleCurrency
  const inCurrency = ({ says }: ReportOf<'refund'> | ReportOf<'refunded_in_all'>) =>
    currency === null || says.currency === currency
  const named = listNamedCustomers(reports)
  const reported = reports.filter(isKind('refund')).filter(inCurrency)
  const releasedRefundId = findReleasedRefund(reports, reported)
  const refunds = reported.filter(({ says }) => says.refundId !== releasedRefundId)
  return {
    paid,
    isPending: !paid && reports.some(isKind('pending')) && !reports.some(isKind('failed')),
    attribution: named[0] ?? null,
    named,
    refundedGrossCents: refundedGross(refunds, reports.filter(isKind('refunded_in_all')).filter(inCurrency)),
    releasedRefundId,
    refundIds: [...new Set(refunds.map(({ says }) => says.refundId))].toSorted(),
    disputes: foldDisputes(reports.filter(isKind('dispute')), currency),
  }
}

/** Takes the amount from the most complete report and the time from the earliest one. */
const foldPaid = (all: ReportOf<'paid'>[], pending: ReportOf<'pending'>[]): PaymentState['paid'] => {
  const reports = all.filter(({ says }) => says.grossCents > 0 && says.netCents !== 0)
  const [best] = reports.toSorted(
    byDescending(
      ({ says }) => Number(says.netCents !== null),
      ({ says }) => SOURCES.indexOf(says.source),
      ({ says }) => says.grossCents,
      ({ says }) => says.netCents ?? 0,
      (report) => tieBreaker(report),
    ),
  )
  if (!best) return null
  const { grossCents, netCents, currency } = best.says
  return {
    grossCents,
    netCents: netCents ?? findNet(pending, { grossCents, currency }) ?? grossCents,
    currency,
    soldAt: new Date(Math.min(...reports.map(latestTime))),
    invoiceId: best.references[0],
    subscriptionId: uniqueTexts(reports, ({ says }) => says.subscriptionId)[0] ?? null,
  }
}

/** Finds the net amount in a pending report with the same gross amount. */
const findNet = (pending: ReportOf<'pending'>[], paid: { grossCents: number; currency: string }) => {
  const due = pending.flatMap(({ says }) => says.due ?? [])
  const same = due.filter(({ grossCents, currency }) => grossCents === paid.grossCents && currency === paid.currency)
  return same.flatMap(({ netCents }) => netCents || []).toSorted((a, b) => b - a)[0]
}

const DISPUTE_STATES = ['open', 'won', 'lost'] as const

/** A closed dispute never reopens, and lost overrides won. */
const foldDisputes = (reports: ReportOf<'dispute'>[], paidIn: string | null): PaymentState['disputes'] =>
  uniqueTexts(reports, ({ says }) => says.disputeId).map((disputeId) => {
    const reported = reports.filter(({ says }) => says.disputeId === disputeId).map(({ says }) => says)
    const states = reported.map(({ state }) => state)
    // A report without an amount does not override one with an amount.
    const amounts = reported.flatMap(({ grossCents, currency = paidIn }) =>
      paidIn === null || currency === paidIn ? (grossCents ?? []) : [],
    )
    return {
      disputeId,
      grossCents: amounts.length > 0 ? Math.max(...amounts) : null,
      state: DISPUTE_STATES[Math.max(...states.map((state) => DISPUTE_STATES.indexOf(state)))] ?? 'open',
    }
  })

const uniqueTexts = <Report>(reports: Report[], text: (report: Report) => string | null) =>
  [...new Set(reports.flatMap((report) => text(report) ?? []))].toSorted()
