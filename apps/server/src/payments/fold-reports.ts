import type { ReasonCode } from '@tributary/contract'
import { isErasedKey } from '../erased-key.ts'
import type { SaleItems } from '../money/rewards/rules.ts'
import {
  type PaidAmount,
  type PaymentReport,
  type ReceivedReport,
  type ReportBody,
  type ReportedCode,
  SAME_PAYMENT,
} from './payment-report.ts'
import type { ReportDecision } from './payment-reports.ts'
import { findReleasedRefund, refundedGross } from './refunded-gross.ts'

export type Attribution = NonNullable<PaymentReport['attribution']> & {
  /** Since when the payer belongs to the record of `clickId`. Absent if nothing but the payment names the click. */
  boundAt?: Date
}

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
    /** What was sold, if a report says so. */
    items: SaleItems | null
  } | null
  isPending: boolean
  /** The customer of the sale, if a report names one. */
  attribution: Attribution | null
  /** All customers that reports name; several if reports contradict each other. */
  named: Attribution[]
  /** The payer by the processor's ID. */
  customerId?: string
  /** Keyed hashes of the payers' mailboxes. Absent if no report states one. */
  payers?: string[]
  clickReference?: string
  /** The promotion codes, in the order of the most complete report. */
  codes: ReportedCode[]
  codeProgramId?: number
  /** A payment with codes that was free: since when the customer has it. */
  freeSince: Date | null
  /** Every code is named only by an ID whose text is not known yet. Filled in with what is known. */
  isWaitingForCode?: boolean
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
  const [customerId] = uniqueTexts(reports, (report) => report.customerId ?? null)
  const [clickReference] = uniqueTexts(reports, (report) => report.clickReference ?? null)
  const payers = uniqueTexts(reports, (report) => report.payer ?? null)
  const reported = reports.filter(isKind('refund')).filter(inCurrency)
  const releasedRefundId = findReleasedRefund(reports, reported)
  const refunds = reported.filter(({ says }) => says.refundId !== releasedRefundId)
  return {
    paid,
    isPending: !paid && reports.some(isKind('pending')) && !reports.some(isKind('failed')),
    attribution: named[0] ?? null,
    named,
    ...(customerId && { customerId }),
    ...(payers.length > 0 && { payers }),
    ...(clickReference && { clickReference }),
    ...foldCodes(reports),
    refundedGrossCents: refundedGross(refunds, reports.filter(isKind('refunded_in_all')).filter(inCurrency)),
    releasedRefundId,
    refundIds: [...new Set(refunds.map(({ says }) => says.refundId))].toSorted(),
    disputes: foldDisputes(reports.filter(isKind('dispute')), reports.filter(isKind('disputes_won')), currency),
  }
}

/** From most to least complete: a checkout knows which code was entered, and an invoice its discounts. */
const foldCodes = (reports: ReceivedReport[]) => {
  const stating = reports
    .filter(({ codes }) => codes && codes.length > 0)
    .toSorted(
      byDescending(
        ({ says }) => (says.kind === 'paid' ? NAMING_SOURCES.indexOf(says.source) : -1),
        (report) => JSON.stringify(report.codes) + tieBreaker(report),
      ),
    )
  const all = stating.flatMap(({ codes = [] }) => codes)
  const texts = all.map((code) => JSON.stringify(code))
  const programIds = stating.flatMap(({ codeProgramId }) => codeProgramId ?? []).toSorted((a, b) => a - b)
  const free = stating.filter(isKind('paid')).filter(({ says }) => says.grossCents === 0 || says.netCents === 0)
  return {
    codes: all.filter((_, index) => texts.indexOf(texts[index] ?? '') === index),
    ...(programIds[0] !== undefined && { codeProgramId: programIds[0] }),
    freeSince: free.length > 0 ? new Date(Math.min(...free.map(latestTime))) : null,
  }
}

/** Takes the amount from the most complete report and the time from the earliest one. */
const foldPaid = (all: ReportOf<'paid'>[], pending: ReportOf<'pending'>[]): PaymentState['paid'] => {
  const reports = all.filter(({ says }) => says.grossCents > 0 && says.netCents !== 0)
  const byCompleteness = reports.toSorted(
    byDescending(
      ({ says }) => Number(says.netCents !== null),
      ({ says }) => SOURCES.indexOf(says.source),
      ({ says }) => says.grossCents,
      ({ says }) => says.netCents ?? 0,
      (report) => tieBreaker(report),
    ),
  )
  const [best] = byCompleteness
  if (!best) return null
  const { grossCents, netCents, currency } = best.says
  return {
    grossCents,
    netCents: netCents ?? findNet(pending, { grossCents, currency }) ?? grossCents,
    currency,
    soldAt: new Date(Math.min(...reports.map(latestTime))),
    invoiceId: best.references[0],
    subscriptionId: uniqueTexts(reports, ({ says }) => says.subscriptionId)[0] ?? null,
    items: byCompleteness.find(({ says }) => says.items && says.currency === currency)?.says.items ?? null,
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
const foldDisputes = (
  all: ReportOf<'dispute'>[],
  won: ReportOf<'disputes_won'>[],
  paidIn: string | null,
): PaymentState['disputes'] =>
  uniqueTexts(all, ({ says }) => says.disputeId).map((disputeId) => {
    const reports = all.filter(({ says }) => says.disputeId === disputeId)
    const beganAt = Math.min(...reports.map(({ at }) => at.getTime()))
    const isWon = won.some(
      ({ says: { series }, at }) => at.getTime() >= beganAt && reports.some(({ says }) => says.series === series),
    )
    const states = [...reports.map(({ says }) => says.state), ...(isWon ? ['won' as const] : [])]
    // A report without an amount does not override one with an amount.
    const amounts = reports.flatMap(({ says: { grossCents, currency = paidIn } }) =>
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

/** From least to most reliable: the merchant's code sets the metadata at checkout. */
const NAMING_SOURCES: PaidAmount['source'][] = ['payment', 'invoice', 'checkout']

/**
 * Lists the customers that a payment's reports name, starting with the customer of the sale. Each event carries some or all of
 * the three metadata keys, so reports complete each other. If they disagree, the checkout wins over the invoice (with its
 * subscription), and the invoice wins over the bare payment.
 */
const listNamedCustomers = (reports: ReceivedReport[]): Attribution[] => {
  const all = reports
    .filter(({ attribution }) => attribution !== null)
    .toSorted(
      byDescending(
        ({ says }) => (says.kind === 'paid' ? NAMING_SOURCES.indexOf(says.source) : -1),
        ({ attribution }) => Number(attribution?.customerKey !== null),
        ({ attribution }) => Number(attribution?.clickId !== null),
        (report) => JSON.stringify(report.attribution) + tieBreaker(report),
      ),
    )
    .flatMap(({ attribution }) => attribution ?? [])
  const programIds = [...new Set(all.map(({ programId }) => programId))]
  return programIds.flatMap((programId) => listCustomersOfProgram(all.filter((named) => named.programId === programId)))
}

const listCustomersOfProgram = (all: Attribution[]): Attribution[] => {
  const named = [...new Set(all.flatMap(({ customerKey }) => customerKey ?? []))]
  // A late event must not bring back the key of an erased customer.
  const erased = named.find(isErasedKey)
  const keys = erased ? [erased] : named.length > 0 ? named : [null]
  return keys.flatMap((key) => {
    // A click reported with another key belongs to that key; one reported without a key fits any key that has no click.
    const own = all.filter(({ customerKey }) => customerKey === key || erased)
    const keyless = all.filter(({ customerKey }) => customerKey === null)
    const clickId = [...own, ...keyless].find((one) => one.clickId !== null)?.clickId ?? null
    return all.slice(0, 1).map(({ programId }) => ({ programId, customerKey: key, clickId }))
  })
}

/** Sorts in descending order by the first value in which two items differ. */
const byDescending =
  <Item>(...values: ((item: Item) => number | string)[]) =>
  (a: Item, b: Item) => {
    for (const value of values) {
      const [left, right] = [value(a), value(b)]
      if (left !== right) return left > right ? -1 : 1
    }
    return 0
  }

/**
 * The latest time at which the event can have happened, but never after we received it. Processors round down to whole seconds:
 * using the start of the second would put a payment before a click in that same second and leave it uncredited.
 */
const latestTime = ({ at, withinMs = 0, receivedAt }: ReceivedReport): number => {
  const latest = at.getTime() + withinMs
  return receivedAt ? Math.min(latest, Math.max(at.getTime(), receivedAt.getTime())) : latest
}

/** Breaks ties between reports by content, so that the order of arrival never matters. */
const tieBreaker = ({ receivedAt: _, ...content }: ReceivedReport) => JSON.stringify(content)

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
    case 'disputes_won':
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
  if (!sale) return state.isWaitingForCode ? waiting('code_pending') : ignored('no_metadata')
  if (state.attribution && sale.currency !== state.paid?.currency)
    return { outcome: 'refused', reason: 'sale_other_currency' }
  return applied((sale.reason as ReasonCode | null) ?? 'payment_recorded')
}

const applied = (reason: ReasonCode): ReportDecision => ({ outcome: 'applied', reason })
const waiting = (reason: ReasonCode): ReportDecision => ({ outcome: 'waiting', reason })
const ignored = (reason: ReasonCode): ReportDecision => ({ outcome: 'ignored', reason })
