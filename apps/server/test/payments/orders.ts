import { expect } from 'bun:test'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { conversionsOf } from '../../src/events/overview/conversions.ts'
import { foldReports } from '../../src/payments/fold-reports.ts'
import type { PaymentReport, ReportBody } from '../../src/payments/payment-report.ts'
import { Refusal } from '../../src/refusal.ts'
import type { Reward } from '../money/given-money.ts'
import { sized } from '../support/size.ts'
import { givenPayments, type Ledger, type Payments } from './given-payments.ts'

export const permutations = <Item>(items: Item[]): Item[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))

/**
 * A few orders in which each item directly follows each other item once, and each comes first and last: the rows of a
 * Williams square. An odd number of items uses the next larger square without the additional item.
 */
export const representativeOrders = <Item>(items: Item[]): Item[][] => {
  const size = items.length + (items.length % 2)
  const zigzag = Array.from({ length: size }, (_, index) => (index % 2 ? size - (index + 1) / 2 : index / 2))
  return zigzag.map((_, shift) => zigzag.flatMap((index) => items.slice((index + shift) % size).slice(0, 1)))
}

/** Every order in the long run, a few that cover every pair of neighbors in the short one. */
export const ordersOf = <Item>(items: Item[]) => sized({ short: representativeOrders, long: permutations })(items)

/** A report in a test, before its program and time are known: times are seconds after the click. */
export type Step =
  | {
      references: [string, ...string[]]
      says: ReportBody
      /** `by key`: the payment names the customer but no click. */
      attributed?: boolean | 'by key'
      second?: number
      neverTakenCents?: number
    }
  | { api: 'sale'; amount: number; tax?: number; invoiceId: string }
  | { api: 'refund'; amount: number | null; invoiceId: string; refundId: string | null }
  | { api: 'lead' }
  | { api: 'browser lead' }

type ReportStep = Exclude<Step, { api: string }>

const SECOND_MS = 1_000

const reportOf = (
  { references, says, attributed = false, second = 60, neverTakenCents }: ReportStep,
  { attribution, start }: { attribution: NonNullable<PaymentReport['attribution']>; start: number },
): PaymentReport => ({
  references,
  says,
  at: new Date(start + second * SECOND_MS),
  attribution: attributed === 'by key' ? { ...attribution, clickId: null } : attributed ? attribution : null,
  ...(neverTakenCents && { neverTakenCents }),
})

/** Runs the steps in order in a separate program and returns everything visible about the money. */
export const outcomeOf = async (
  ledger: Ledger,
  steps: Step[],
  { reward, beforeLast }: { reward?: Partial<Reward>; beforeLast?: (shop: Payments) => Promise<unknown> } = {},
) => {
  const shop = await givenPayments(ledger, reward)
  const attribution = await shop.attribution()
  const start = shop.clock.now().getTime()
  shop.clock.advance(3_600 * SECOND_MS)
  const run = async (step: Step) => {
    if (!('api' in step)) return shop.receive(reportOf(step, { attribution, start }))
    if (step.api === 'lead') return shop.lead(attribution.customerKey, attribution.clickId)
    if (step.api === 'browser lead') return shop.browserLead(attribution.customerKey, attribution.clickId)
    if (step.api === 'sale') {
      const { amount, tax = 0, invoiceId } = step
      const amounts = { amountCents: amount - tax, grossCents: tax === 0 ? null : amount }
      return shop.underLoad().sale({ customerKey: attribution.customerKey, ...amounts, invoiceId })
    }
    return shop.refund(step.invoiceId, step.amount, step.refundId)
  }
  for (const [index, step] of steps.entries()) {
    if (index === steps.length - 1) await beforeLast?.(shop)
    // The second API report of a payment is refused.
    await run(step).catch((error) => expect(error).toBeInstanceOf(Refusal))
  }
  const [sale, ...more] = await shop.liveSales()
  expect(more).toEqual([])
  await shop.seal()
  expect((await shop.verify(new Date(shop.clock.now().getTime() + 1))).differences).toEqual([])
  await expectNothingLeftToDo(ledger, shop)
  const commission = (await shop.commissions()).find(({ saleId }) => saleId === sale?.id)
  const since = (at: Date | undefined) => at && (at.getTime() - start) / SECOND_MS
  const { partnerId: _, ...balance } = { partnerId: 0, ...(await shop.balance()) }
  return {
    sale: sale && {
      amountCents: sale.amountCents,
      currency: sale.currency,
      isCredited: sale.clickId !== null,
      reason: sale.reason,
      soldAt: since(sale.soldAt),
      name: sale.reportedBy === 'processor' ? sale.invoiceId : null,
      reportedBy: sale.reportedBy,
    },
    commission: commission && { amountCents: commission.amountCents, payableAt: since(commission.payableAt) },
    balance,
    leads: (await shop.leads()).map(({ state }) => state),
    counts: await countsOf(ledger, shop.programId),
  }
}
export type Outcome = Awaited<ReturnType<typeof outcomeOf>>

const countsOf = async ({ db }: Ledger, programId: number) => {
  const { rows } = await sql<{ leads: number; sales: number }>`
    SELECT coalesce(sum(leads), 0)::int AS leads, coalesce(sum(sales), 0)::int AS sales FROM (${conversionsOf(programId)}) fact`.execute(
    db,
  )
  return rows[0]
}

/** Processing every payment once more changes nothing and writes nothing. */
const expectNothingLeftToDo = async ({ pool, owner }: Ledger, shop: Payments) => {
  const everything = async () => {
    const { rows } = await pool.query(
      `SELECT (SELECT jsonb_agg(to_jsonb(sale) ORDER BY id) FROM sales sale WHERE program_id = $1) AS sales,
        (SELECT jsonb_agg(to_jsonb(report) ORDER BY id) FROM payment_reports report WHERE program_id = $1) AS reports,
        (SELECT jsonb_agg(to_jsonb(refund) ORDER BY sale_id) FROM processor_refunds refund WHERE program_id = $1) AS refunds,
        (SELECT count(*) FROM ledger_lines WHERE program_id = $1) AS lines,
        (SELECT count(*) FROM decisions WHERE program_id = $1) AS decisions,
        (SELECT count(*) FROM payment_references WHERE program_id = $1) AS names`,
      [shop.programId],
    )
    return rows[0]
  }
  const before = await everything()
  const payments = await owner.selectFrom('payments').select('id').where('programId', '=', shop.programId).execute()
  for (const { id } of payments) await shop.follow(id)
  expect(isDeepStrictEqual(await everything(), before)).toBe(true)
}

/** The reports fold to the same payment in every order, which is cheap enough to try all of them. */
const expectOneFold = (steps: Step[]) => {
  const attribution = { programId: 1, customerKey: 'customer', clickId: 'click' }
  const reports = steps.flatMap((step) => ('api' in step ? [] : reportOf(step, { attribution, start: 0 })))
  const expected = foldReports(reports)
  for (const order of permutations(reports)) expect(foldReports(order)).toEqual(expected)
}

/** Every order of the steps has the same outcome. `first` always comes first; `seen` leaves out what may differ. */
export const expectOneOutcome = async <Seen = Outcome>(
  ledger: Ledger,
  steps: Step[],
  {
    seen = (outcome) => outcome as Seen,
    first,
    ...options
  }: {
    seen?: (outcome: Outcome) => Seen
    first?: Step
  } & Parameters<typeof outcomeOf>[2] = {},
): Promise<Seen> => {
  const start = first ? [first] : []
  expectOneFold([...start, ...steps])
  let expected: Seen | undefined
  for (const rest of ordersOf(steps)) {
    const order = [...start, ...rest]
    const labels = order.map((step) =>
      'api' in step ? `${step.api}` : `${step.says.kind} ${step.references.join('+')}`,
    )
    const outcome = seen(await outcomeOf(ledger, order, options))
    expected ??= outcome
    expect({ labels, ...outcome }).toEqual({ labels, ...expected })
  }
  return expected as Seen
}
