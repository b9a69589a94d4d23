import { sql } from 'kysely'
import type { Recorder } from '../../clock.ts'
import { lockCustomersByClick } from '../../customers/customers.ts'
import { columnsOf } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'
import { findRefundedOrDisputed, saleKey } from '../../money/commissions/refunds.ts'
import { lockAccountsOfSales } from '../../money/ledger/ledger.ts'
import type { LockedTerms } from '../../money/rewards/reward-terms.ts'
import { decideOutcome, foldReports, type PaymentState } from '../../payments/fold-reports.ts'
import { addPaymentCodes, claimCodes, referenceOfCode } from '../../payments/payment-codes.ts'
import type { PaymentReport } from '../../payments/payment-report.ts'
import {
  changeDecisions,
  loadRecords,
  type PaymentRecord,
  type ReportDecision,
  storeReports,
} from '../../payments/payment-reports.ts'
import { joinPayments, lockPayments } from '../../payments/payments.ts'
import type { Binding, ClaimedCustomer } from '../../payments/processor-customers.ts'
import { findPrograms, type Program } from '../../programs/programs.ts'
import { lockSalesByReference, type Sale } from '../../sales/find-sales.ts'
import { resolveCodes } from '../codes/resolve-codes.ts'
import type { CodeOnEvent } from '../codes/stated-codes.ts'
import { settlePaymentLeads } from '../leads/settle-payment-leads.ts'
import { createSales, type ReportedSale } from '../sales/create-sales.ts'
import { bindFreePayers } from './bind-free-payers.ts'
import { bindPayers, claimPayers, listWaitingPayments } from './bind-payers.ts'
import { learnPayers } from './learn-payers.ts'
import { loadCandidates } from './load-candidates.ts'
import { executePlan } from './merge-sales.ts'
import { type CreditablePayment, hasItemsOf, planSale, toNewSale } from './plan-sale.ts'
import { resolvePayers } from './resolve-payers.ts'
import { claimInvoicesOf, joinStatedSales } from './stated-invoices.ts'
import { updateSale } from './update-sale.ts'

/** A report, with what is filled in when it is recorded. */
export type IncomingReport = {
  /** The workspace's inbox program (processor/inbox-programs.ts). */
  inboxProgram: Program
  report: PaymentReport
  /** Null if the report connects several payments and must be recorded without others. Then nothing is recorded. */
  paymentId?: number | null
  reportId?: number | undefined
  decision?: ReportDecision
}

/**
 * Records processor reports: finds their payments, stores the reports and syncs the payments. Runs in the transaction that
 * stores the events.
 */
export const recordPaymentReports = async (tx: Tx, recorder: Recorder, incoming: IncomingReport[]) => {
  const reported = incoming.map((row) => ({
    row,
    programId: row.inboxProgram.id,
    references: row.report.references,
    paymentId: null,
  }))
  const stated = await claimInvoicesOf(
    tx,
    incoming.map(({ inboxProgram, report }) => ({ programId: inboxProgram.id, report })),
  )
  const customers = await claimPayers(tx, incoming)
  const named = incoming.flatMap(codesOf)
  await claimCodes(
    tx,
    named.flatMap(({ code, ...one }) => ('id' in code ? one : [])),
  )
  await joinPayments(tx, reported, await listWaitingPayments(tx, incoming, customers))
  for (const { row, paymentId } of reported) row.paymentId = paymentId
  // Read the clock after locking the payments, so that concurrent reports get times in processing order.
  const receivedAt = recorder.clock()
  const reports = incoming.flatMap((row) => {
    const { inboxProgram, report, paymentId = null } = row
    return paymentId === null
      ? []
      : [{ row, inboxProgram, report, programId: inboxProgram.id, paymentId, receivedAt, reportId: undefined }]
  })
  if (reports.length < incoming.length) return
  await joinStatedSales(tx, reports, stated)
  await storeReports(tx, reports)
  await addPaymentCodes(
    tx,
    reports.flatMap((one) =>
      codesOf(one).map(({ programId, reference }) => ({ programId, reference, paymentId: one.paymentId })),
    ),
  )
  const decisions = await syncPayments(tx, recorder, reports, customers)
  for (const { row, programId, reportId } of reports) {
    row.reportId = reportId
    row.decision = decisions.get(`${programId} ${reportId}`)
    if (!row.decision) throw new Error('a stored report has no decision')
  }
}

const codesOf = ({ inboxProgram, report: { codes = [] } }: Pick<IncomingReport, 'inboxProgram' | 'report'>) =>
  codes.map((code) => ({ programId: inboxProgram.id, reference: referenceOfCode(code), code }))

type PaymentKey = {
  /** The workspace's inbox program (processor/inbox-programs.ts). */
  inboxProgram: Program
  paymentId: number
}

/** What the decision on a report depends on. */
type SaleOfPayment = Pick<Sale, 'programId' | 'currency' | 'reason' | 'clickId' | 'soldAt'>

type LoadedPayment = PaymentKey &
  PaymentRecord & {
    state: PaymentState
    /** Null if the payment names a program of another workspace. */
    program: Program | null
    creditable: CreditablePayment | null
    /** Its sales that are not voided; locked. */
    sales: Sale[]
    /** The one that remains, once it matches the payment. Null if the payment has none. */
    sale?: SaleOfPayment | null
    binding?: Binding | null
    codes?: CodeOnEvent[]
  }

/**
 * Updates leads, sales, refunds and disputes to match all reports of their payments, and returns the decision on each report. It
 * always works from the full set of reports, so their order does not matter and a second run changes nothing. The caller holds
 * the locks on the payments.
 */
const syncPayments = async (
  tx: Tx,
  recorder: Recorder,
  keys: PaymentKey[],
  customers: ClaimedCustomer[] = [],
): Promise<Map<string, ReportDecision>> => {
  const payments = await loadPayments(tx, keys, customers)
  const creditable = payments.filter(isCreditable)
  // Claim the references in the sale's program too, so that the merchant cannot report the sale there a second time.
  for (const { program, inboxProgram, references } of creditable)
    if (program.id !== inboxProgram.id) await joinPayments(tx, [{ programId: program.id, references }])
  const lockedTerms = await settlePaymentLeads(tx, recorder, creditable)
  await lockSalesOfPayments(tx, payments)
  await makeMissingSales(tx, recorder, { payments: creditable, lockedTerms })
  await keepUnchangedSales(tx, creditable)
  const changing = payments.filter(({ sale }) => sale === undefined)
  await lockAccountsOfSales(
    tx,
    changing.flatMap(({ sales }) => sales),
  )
  for (const payment of changing) payment.sale = await syncSale(tx, recorder, payment)
  const free = await bindFreePayers(tx, recorder, payments)
  const decisions = await decideOnReports(tx, payments)
  await learnPayers(tx, recorder, payments)
  const waiting: PaymentKey[] = [...free, ...(await bindPayers(tx, payments, customers))]
  return waiting.length === 0 ? decisions : new Map([...decisions, ...(await syncPayments(tx, recorder, waiting))])
}

const decideOnReports = async (tx: Tx, payments: LoadedPayment[]) => {
  const decisions = new Map<string, ReportDecision>()
  const changed: ({ programId: number; id: number } & ReportDecision)[] = []
  for (const { inboxProgram, reports, state, program, sale = null } of payments)
    for (const { id, report, outcome, reason } of reports) {
      const now = decideOutcome(report, { state, isForeign: !program, sale })
      decisions.set(`${inboxProgram.id} ${id}`, now)
      if (now.outcome !== outcome || now.reason !== reason) changed.push({ programId: inboxProgram.id, id, ...now })
    }
  await changeDecisions(tx, changed)
  return decisions
}

/** Locks and syncs one payment, unless it was merged into another in the meantime. */
export const syncPayment = async (tx: Tx, recorder: Recorder, { inboxProgram, paymentId }: PaymentKey) => {
  const [locked] = await lockPayments(tx, { programId: inboxProgram.id, paymentIds: [paymentId] })
  if (locked !== undefined) await syncPayments(tx, recorder, [{ inboxProgram, paymentId }])
}

/** Loads each distinct payment once. */
const loadPayments = async (tx: Tx, keys: PaymentKey[], customers: ClaimedCustomer[]): Promise<LoadedPayment[]> => {
  const unique = new Map(
    keys.map(({ inboxProgram, paymentId }) => [
      `${inboxProgram.id} ${paymentId}`,
      { inboxProgram, programId: inboxProgram.id, paymentId },
    ]),
  )
  const records = (await loadRecords(tx, [...unique.values()])).map((record) =>
    Object.assign(record, { state: foldReports(record.reports.map(({ report }) => report)) }),
  )
  await resolvePayers(tx, records, customers)
  await resolveCodes(tx, records)
  const inboxPrograms = records.map(({ inboxProgram }) => inboxProgram)
  const named = records.flatMap(({ state }) => state.attribution?.programId ?? [])
  const others = named.filter((id) => inboxPrograms.every((inboxProgram) => inboxProgram.id !== id))
  const programs = new Map(
    [...inboxPrograms, ...(await findPrograms(tx, others))].map((program) => [program.id, program]),
  )
  return records.map((record): LoadedPayment => {
    const program = findNamedProgram(record.inboxProgram, record.state, programs)
    return Object.assign(record, { program, creditable: toCreditable(program, record), sales: [] })
  })
}

/** Returns the program that the payment names, or its inbox program. Null if the program belongs to another workspace. */
const findNamedProgram = (inboxProgram: Program, { attribution }: PaymentState, programs: Map<number, Program>) => {
  const named = programs.get(attribution?.programId ?? inboxProgram.id)
  return named?.workspaceId === inboxProgram.workspaceId ? named : null
}

type Resolved = { state: PaymentState; codes?: CodeOnEvent[] }

const toCreditable = (
  program: Program | null,
  { state: { paid, attribution }, codes = [] }: Resolved,
): CreditablePayment | null => (program && paid && attribution ? { program, paid, attribution, codes } : null)

type CreditedPayment = LoadedPayment & { program: Program; creditable: CreditablePayment }

const isCreditable = (payment: LoadedPayment): payment is CreditedPayment => payment.creditable !== null

/**
 * Locks the sales of each payment that are not voided, found by any of its references. No other transaction can add one while the
 * references are claimed; those of another program were claimed after looking.
 */
const lockSalesOfPayments = async (tx: Tx, payments: LoadedPayment[]) => {
  const references = payments
    .filter(({ hasSales, program, inboxProgram }) => hasSales || program?.id !== inboxProgram.id)
    .flatMap((payment) =>
      payment.programIds.flatMap((programId) =>
        payment.references.map((invoiceId) => ({ programId, invoiceId, payment })),
      ),
    )
  if (references.length === 0) return
  await lockFirstSaleCustomers(tx, references)
  const nameOf = ({ programId, invoiceId }: { programId: number; invoiceId: string }) => `${programId} ${invoiceId}`
  const named = Map.groupBy(references, nameOf)
  for (const sale of await lockSalesByReference(tx, references))
    for (const { payment } of named.get(nameOf(sale)) ?? []) payment.sales.push(sale)
}

/**
 * Where terms depend on the first sale, a change of one sale can change the customer's other sales, which are locked then. Customers
 * are therefore locked before sales, so that two payments of one customer cannot deadlock.
 */
const lockFirstSaleCustomers = async (tx: Tx, references: { programId: number; invoiceId: string }[]) => {
  const column = columnsOf(references)
  const { rows } = await sql<{ programId: number; clickId: string }>`
    SELECT DISTINCT sale.program_id, sale.click_id
    FROM unnest(${column('programId', 'integer')}, ${column('invoiceId', 'text')}) AS input(program_id, invoice_id)
    JOIN sales sale ON sale.program_id = input.program_id AND sale.invoice_id = input.invoice_id
    WHERE sale.credit_source IS NOT NULL AND sale.voided_at IS NULL AND EXISTS (
      SELECT FROM reward_terms terms
      WHERE terms.program_id = sale.program_id AND terms.looks_at IS NOT NULL)`.execute(tx)
  if (rows.length > 0) await lockCustomersByClick(tx, rows)
}

/**
 * Creates all missing sales in one batch. Payments that already have refunds or disputes are left to `syncSale`.
 */
const makeMissingSales = async (
  tx: Tx,
  recorder: Recorder,
  { payments, lockedTerms }: { payments: CreditedPayment[]; lockedTerms: LockedTerms },
) => {
  const missing = payments.filter(({ state, sales }) => sales.length === 0 && hasNoRefundsOrDisputes(state))
  if (missing.length === 0) return
  const at = recorder.clock()
  const made = missing.map((payment): ReportedSale & { payment: CreditedPayment } => ({
    payment,
    ...toNewSale(payment.creditable, payment.creditable.paid.invoiceId, at),
  }))
  const areLocked = missing.every(({ program }) => lockedTerms.programIds.has(program.id))
  await createSales(tx, recorder, made, areLocked ? lockedTerms : undefined)
  for (const { payment, currency, recorded, creditedTo } of made) {
    if (!recorded) throw new Error('another sale already has the invoice_id of this payment')
    const { program, creditable } = payment
    const { soldAt } = creditable.paid
    payment.sale = { programId: program.id, currency, reason: recorded.reason, clickId: creditedTo ?? null, soldAt }
  }
}

const hasNoRefundsOrDisputes = ({ refundIds, refundedGrossCents, disputes }: PaymentState) =>
  refundIds.length === 0 && refundedGrossCents === 0 && disputes.length === 0

/**
 * Keeps sales that already match their payment. Most reports contain nothing new, so this skips most of the work. Sales with a refund
 * or dispute are excluded, because reports can take those back.
 */
const keepUnchangedSales = async (tx: Tx, payments: CreditedPayment[]) => {
  const upToDate = payments.flatMap((payment) => {
    const [only, ...others] = payment.sales
    return only && others.length === 0 && isUpToDate(only, payment) ? [{ payment, sale: only }] : []
  })
  const touched = await findRefundedOrDisputed(
    tx,
    upToDate.map(({ sale }) => sale),
  )
  for (const { payment, sale } of upToDate) if (!touched.has(saleKey(sale))) payment.sale = sale
}

/** Plans the sale of one payment, executes the plan and updates the sale. */
const syncSale = async (tx: Tx, recorder: Recorder, { reports, creditable, sales }: LoadedPayment) => {
  const plan = planSale(await loadCandidates(tx, recorder.hashKey, { sales, payment: creditable }), creditable)
  const sale = await executePlan(tx, recorder, plan, creditable)
  if (!sale) return null
  const state = foldReports(
    reports.map(({ report }) => report),
    sale.currency,
  )
  return updateSale(tx, recorder, { sale, isInPayout: plan.keep?.isInPayout ?? false, state, payment: creditable })
}

/** Whether a sale has the amount, time, customer and subscription of its payment, and no report mentions a refund or dispute. */
const isUpToDate = (sale: Sale, { creditable, state }: CreditedPayment) => {
  if (!hasNoRefundsOrDisputes(state)) return false
  const { program, paid, attribution } = creditable
  const isNamed = sale.customerKey !== null && sale.customerKey === attribution.customerKey
  const isSame =
    sale.programId === program.id &&
    sale.currency === paid.currency &&
    sale.amountCents === paid.netCents &&
    sale.soldAt.getTime() === paid.soldAt.getTime() &&
    hasItemsOf(sale, paid) &&
    sale.subscriptionId === (sale.subscriptionId ?? paid.subscriptionId)
  return (
    isNamed && isSame && sale.clickId !== null && (sale.reportedBy === 'merchant' || sale.invoiceId === paid.invoiceId)
  )
}
