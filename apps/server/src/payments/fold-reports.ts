import { byDescending } from './by-descending.ts'
import { latestMoment, wordsOf } from './latest-moment.ts'
import { type Attribution, namedCustomers } from './named-customers.ts'
import type { HeardReport, PaidAmount, PaymentWords } from './payment-report.ts'
import { refundedGross } from './refunded-gross.ts'
import { releasedRefund } from './released-refunds.ts'

/** What all reports of a payment come to. */
export type PaymentState = {
  /** Null while nobody says that money came. */
  paid: {
    grossCents: number
    /** Without tax, as far as anybody knows. */
    netCents: number
    currency: string
    soldAt: Date
    /** What people call it: the first name in the report that the amount is taken from. */
    name: string
    subscriptionId: string | null
  } | null
  isPending: boolean
  /** Whose sale it is, if anybody says. */
  attribution: Attribution | null
  /** Everybody whom a report names; more than one where reports contradict each other. */
  named: Attribution[]
  refundedGrossCents: number
  refundIds: string[]
  /** The refund that gave back what was reserved and never taken. */
  releasedRefundId: string | null
  disputes: { disputeId: string; state: 'open' | 'won' | 'lost'; grossCents: number | null }[]
}

type Saying<Kind extends PaymentWords['kind']> = HeardReport & { says: Extract<PaymentWords, { kind: Kind }> }

export const saying =
  <Kind extends PaymentWords['kind']>(kind: Kind) =>
  (report: HeardReport): report is Saying<Kind> =>
    report.says.kind === kind

const SOURCES: PaidAmount['source'][] = ['payment', 'checkout', 'invoice']

/**
 * A payment is what its reports come to. Every part is a choice from the set of them by something that they say, never by the
 * order in which they came or how often, so that neither can show in anybody's money.
 */
export const foldReports = (reports: HeardReport[], saleCurrency: string | null = null): PaymentState => {
  const paid = paidOf(reports.filter(saying('paid')), reports.filter(saying('pending')))
  const currency = paid?.currency ?? saleCurrency
  const inCurrency = ({ says }: Saying<'refund'> | Saying<'refunded_in_all'>) =>
    currency === null || says.currency === currency
  const named = namedCustomers(reports)
  const told = reports.filter(saying('refund')).filter(inCurrency)
  const releasedRefundId = releasedRefund(reports, told)
  const refunds = told.filter(({ says }) => says.refundId !== releasedRefundId)
  return {
    paid,
    isPending: !paid && reports.some(saying('pending')) && !reports.some(saying('failed')),
    attribution: named[0] ?? null,
    named,
    refundedGrossCents: refundedGross(refunds, reports.filter(saying('refunded_in_all')).filter(inCurrency)),
    releasedRefundId,
    refundIds: [...new Set(refunds.map(({ says }) => says.refundId))].toSorted(),
    disputes: disputesOf(reports.filter(saying('dispute')), currency),
  }
}

/** The best informed amount, and the earliest moment. */
const paidOf = (all: Saying<'paid'>[], awaited: Saying<'pending'>[]): PaymentState['paid'] => {
  const reports = all.filter(({ says }) => says.grossCents > 0 && says.netCents !== 0)
  const [best] = reports.toSorted(
    byDescending(
      ({ says }) => Number(says.netCents !== null),
      ({ says }) => SOURCES.indexOf(says.source),
      ({ says }) => says.grossCents,
      ({ says }) => says.netCents ?? 0,
      (report) => wordsOf(report),
    ),
  )
  if (!best) return null
  const { grossCents, netCents, currency } = best.says
  return {
    grossCents,
    netCents: netCents ?? netOf(awaited, { grossCents, currency }) ?? grossCents,
    currency,
    soldAt: new Date(Math.min(...reports.map(latestMoment))),
    name: best.references[0],
    subscriptionId: textsOf(reports, ({ says }) => says.subscriptionId)[0] ?? null,
  }
}

/** What somebody who waited for exactly this amount has said that it comes to without tax. */
const netOf = (awaited: Saying<'pending'>[], paid: { grossCents: number; currency: string }) => {
  const due = awaited.flatMap(({ says }) => says.due ?? [])
  const same = due.filter(({ grossCents, currency }) => grossCents === paid.grossCents && currency === paid.currency)
  return same.flatMap(({ netCents }) => netCents || []).toSorted((a, b) => b - a)[0]
}

const DISPUTE_STATES = ['open', 'won', 'lost'] as const

/** A dispute only ever goes on: closed is not opened again, and lost outweighs won. */
const disputesOf = (reports: Saying<'dispute'>[], paidIn: string | null): PaymentState['disputes'] =>
  textsOf(reports, ({ says }) => says.disputeId).map((disputeId) => {
    const told = reports.filter(({ says }) => says.disputeId === disputeId).map(({ says }) => says)
    const states = told.map(({ state }) => state)
    // A report without an amount does not override one that has it.
    const amounts = told.flatMap(({ grossCents, currency = paidIn }) =>
      paidIn === null || currency === paidIn ? (grossCents ?? []) : [],
    )
    return {
      disputeId,
      grossCents: amounts.length > 0 ? Math.max(...amounts) : null,
      state: DISPUTE_STATES[Math.max(...states.map((state) => DISPUTE_STATES.indexOf(state)))] ?? 'open',
    }
  })

const textsOf = <Report>(reports: Report[], text: (report: Report) => string | null) =>
  [...new Set(reports.flatMap((report) => text(report) ?? []))].toSorted()
