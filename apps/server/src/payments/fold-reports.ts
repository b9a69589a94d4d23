import { isErasedKey } from '../erased-key.ts'
import type { PaidAmount, PaymentReport, PaymentWords } from './payment-report.ts'
import { refundedGross } from './refunded-gross.ts'

export type Attribution = NonNullable<PaymentReport['attribution']>

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
  attribution: Attribution | null
  refundedGrossCents: number
  refundIds: string[]
  disputes: { disputeId: string; state: 'open' | 'won' | 'lost'; grossCents: number | null }[]
}

type Saying<Kind extends PaymentWords['kind']> = PaymentReport & { says: Extract<PaymentWords, { kind: Kind }> }

export const saying =
  <Kind extends PaymentWords['kind']>(kind: Kind) =>
  (report: PaymentReport): report is Saying<Kind> =>
    report.says.kind === kind

const SOURCES: PaidAmount['source'][] = ['payment', 'checkout', 'invoice']

/**
 * A payment is what its reports come to. Every part is a choice from the set of them by something that they say, never by the
 * order in which they came or how often, so that neither can show in anybody's money.
 */
export const foldReports = (reports: PaymentReport[], saleCurrency: string | null = null): PaymentState => {
  const paid = paidOf(reports.filter(saying('paid')))
  const currency = paid?.currency ?? saleCurrency
  const inCurrency = ({ says }: Saying<'refund'> | Saying<'refunded_in_all'>) =>
    currency === null || says.currency === currency
  const refunds = reports.filter(saying('refund')).filter(inCurrency)
  return {
    paid,
    isPending: !paid && reports.some(saying('pending')) && !reports.some(saying('failed')),
    attribution: attributionOf(reports),
    refundedGrossCents: refundedGross(refunds, reports.filter(saying('refunded_in_all')).filter(inCurrency)),
    refundIds: [...new Set(refunds.map(({ says }) => says.refundId))].toSorted(),
    disputes: disputesOf(reports.filter(saying('dispute'))),
  }
}

/** The best informed amount, and the earliest moment. */
const paidOf = (all: Saying<'paid'>[]): PaymentState['paid'] => {
  const reports = all.filter(({ says }) => says.grossCents > 0 && says.netCents !== 0)
  const [best] = reports.toSorted(
    byDescending(
      ({ says }) => Number(says.netCents !== null),
      ({ says }) => SOURCES.indexOf(says.source),
      ({ says }) => says.grossCents,
      ({ says }) => says.netCents ?? 0,
      (report) => JSON.stringify(report),
    ),
  )
  if (!best) return null
  const { grossCents, netCents, currency } = best.says
  return {
    grossCents,
    netCents: netCents ?? grossCents,
    currency,
    soldAt: new Date(Math.min(...reports.map(({ at }) => at.getTime()))),
    name: best.references[0],
    subscriptionId: textsOf(reports, ({ says }) => says.subscriptionId)[0] ?? null,
  }
}

/** Messages of one payment carry the same three keys or fewer of them: what one lacks, another has. */
const attributionOf = (reports: PaymentReport[]): Attribution | null => {
  const all = reports
    .filter(({ attribution }) => attribution !== null)
    .toSorted(
      byDescending(
        ({ attribution }) => Number(attribution?.customerKey !== null) + Number(attribution?.clickId !== null),
        ({ attribution }) => Number(attribution?.customerKey !== null),
        ({ says }) => (says.kind === 'paid' ? SOURCES.indexOf(says.source) : -1),
        (report) => JSON.stringify([report.attribution, report]),
      ),
    )
    .flatMap(({ attribution }) => attribution ?? [])
  const [best] = all
  if (!best) return null
  const same = all.filter(({ programId }) => programId === best.programId)
  const keys = same.flatMap(({ customerKey }) => customerKey ?? [])
  return {
    programId: best.programId,
    // Who was erased is not named again by a message that comes later.
    customerKey: keys.find(isErasedKey) ?? keys[0] ?? null,
    clickId: same.find(({ clickId }) => clickId !== null)?.clickId ?? null,
  }
}

const DISPUTE_STATES = ['open', 'won', 'lost'] as const

/** A dispute only ever goes on: closed is not opened again, and lost outweighs won. */
const disputesOf = (reports: Saying<'dispute'>[]): PaymentState['disputes'] =>
  textsOf(reports, ({ says }) => says.disputeId).map((disputeId) => {
    const told = reports.filter(({ says }) => says.disputeId === disputeId).map(({ says }) => says)
    const states = told.map(({ state }) => state)
    // Reports that were kept before amounts were read have none; who knows an amount knows better.
    const amounts = told.flatMap(({ grossCents }) => grossCents ?? [])
    return {
      disputeId,
      grossCents: amounts.length > 0 ? Math.max(...amounts) : null,
      state: DISPUTE_STATES[Math.max(...states.map((state) => DISPUTE_STATES.indexOf(state)))] ?? 'open',
    }
  })

const textsOf = <Report>(reports: Report[], text: (report: Report) => string | null) =>
  [...new Set(reports.flatMap((report) => text(report) ?? []))].toSorted()

/** The greatest first, by the first thing in which two differ. */
const byDescending =
  <Item>(...values: ((item: Item) => number | string)[]) =>
  (a: Item, b: Item) => {
    for (const value of values) {
      const [left, right] = [value(a), value(b)]
      if (left !== right) return left > right ? -1 : 1
    }
    return 0
  }
