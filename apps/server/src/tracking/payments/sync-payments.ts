import { sql } from 'kysely'
import type { Recorder } from '../../clock.ts'
import { lockCustomersByClick } from '../../customers/customers.ts'
import { columnsOf } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'
import { findRefundedOrDisputed, saleKey } from '../../money/commissions/refunds.ts'
import { lockAccountsOfSales } from '../../money/ledger/ledger.ts'
import type { LockedTerms } from '../../money/rewards/reward-terms.ts'
import { decideFate } from '../../payments/decide-fate.ts'
import { foldReports, type PaymentState } from '../../payments/fold-reports.ts'
import { changeFates, loadRecords, type PaymentRecord, type ReportFate } from '../../payments/payment-reports.ts'
import { joinPayment, lockPayments } from '../../payments/payments.ts'
import { findPrograms, type Program } from '../../programs/programs.ts'
import { lockSalesByReference, type Sale } from '../../sales/find-sales.ts'
import { settlePaymentLeads } from '../leads/settle-payment-leads.ts'
import { createSales } from '../sales/create-sales.ts'
import { loadCandidates } from './load-candidates.ts'
import { executePlan, toNewSale } from './merge-sales.ts'
import { type CreditablePayment, planSale } from './plan-sale.ts'
import { updateSale } from './update-sale.ts'

type PaymentKey = {
  /** The workspace's home program (processor/home-programs.ts). */
  home: Program
  paymentId: number
}

type LoadedPayment = PaymentKey & {
  state: PaymentState
  /** Null if the payment names a program of another workspace. */
  program: Program | null
  creditable: CreditablePayment | null
} & PaymentRecord

/**
 * Updates leads, sales, refunds and disputes to match all reports of their payments, and returns the fate of each report. It
 * always works from the full set of reports, so their order does not matter and a second run changes nothing. The caller holds
 * the locks on the payments.
 */
export const syncPayments = async (tx: Tx, recorder: Recorder, keys: PaymentKey[]) => {
  const payments = await loadPayments(tx, keys)
  const creditable = payments.flatMap((payment) => (payment.creditable ? [{ ...payment, ...payment.creditable }] : []))
  // Claim the references in the sale's program too, so that the merchant cannot report the sale there a second time.
  for (const { program, home, references } of creditable)
    if (program.id !== home.id) await joinPayment(tx, { programId: program.id, references })
  const lockedTerms = await settlePaymentLeads(
    tx,
    recorder,
    creditable.map((payment) => ({ creditable: payment, named: payment.state.named })),
  )
  const sales = await lockSalesOfPayments(tx, payments)
  const made = await makeMissingSales(tx, recorder, { payments, sales, lockedTerms })
  const unchanged = await findUnchangedSales(tx, payments, sales)
  const changing = sales.filter((_, index) => !made.has(index) && !unchanged.has(index)).flat()
  await lockAccountsOfSales(tx, changing)
  const fates = new Map<string, ReportFate>()
  const changed: ({ programId: number; id: number } & ReportFate)[] = []
  for (const [index, payment] of payments.entries()) {
    const found = sales[index] ?? []
    const sale = made.get(index) ?? unchanged.get(index) ?? (await syncSale(tx, recorder, payment, found))
    const programId = payment.home.id
    for (const { id, report, fate, reason } of payment.reports) {
      const now = decideFate(report, { state: payment.state, isForeign: !payment.program, sale })
      fates.set(`${programId} ${id}`, now)
      if (now.fate !== fate || now.reason !== reason) changed.push({ programId, id, ...now })
    }
  }
  await changeFates(tx, changed)
  return fates
}

/** Locks and syncs one payment, unless it was merged into another in the meantime. */
export const syncPayment = async (tx: Tx, recorder: Recorder, { home, paymentId }: PaymentKey) => {
  const [locked] = await lockPayments(tx, { programId: home.id, paymentIds: [paymentId] })
  if (locked !== undefined) await syncPayments(tx, recorder, [{ home, paymentId }])
}

/** Loads each distinct payment once. */
const loadPayments = async (tx: Tx, payments: PaymentKey[]): Promise<LoadedPayment[]> => {
  const unique = [...new Map(payments.map((one) => [`${one.home.id} ${one.paymentId}`, one])).values()]
  const keys = unique.map(({ home, paymentId }) => ({ programId: home.id, paymentId }))
  const records = await loadRecords(tx, keys)
  const states = records.map(({ reports }) => foldReports(reports.map(({ report }) => report)))
  const named = states.flatMap(({ attribution }) => attribution?.programId ?? [])
  const homes = unique.map(({ home }) => home)
  const others = named.filter((id) => homes.every((home) => home.id !== id))
  const programs = new Map([...homes, ...(await findPrograms(tx, others))].map((program) => [program.id, program]))
  return unique.map((one, index) => {
    const state = states[index] as PaymentState
    const program = findNamedProgram(one.home, state, programs)
    const creditable = toCreditable(program, state)
    return { ...one, ...(records[index] as PaymentRecord), state, program, creditable }
  })
}

/** Returns the program that the payment names, or its home program. Null if the program belongs to another workspace. */
const findNamedProgram = (home: Program, { attribution }: PaymentState, programs: Map<number, Program>) => {
  const named = programs.get(attribution?.programId ?? home.id)
  return named?.workspaceId === home.workspaceId ? named : null
}

const toCreditable = (program: Program | null, { paid, attribution }: PaymentState): CreditablePayment | null =>
  program && paid && attribution ? { program, paid, attribution } : null

/**
 * Locks the sales of each payment that are not voided, found by any of its references. No other transaction can add one while the
 * references are claimed; those of another program were claimed after looking.
 */
const lockSalesOfPayments = async (tx: Tx, payments: LoadedPayment[]): Promise<Sale[][]> => {
  const references = payments.map(({ home, program, programIds, references, hasSales }) =>
    hasSales || program?.id !== home.id
      ? programIds.flatMap((programId) => references.map((invoiceId) => ({ programId, invoiceId })))
      : [],
  )
  if (references.flat().length === 0) return payments.map(() => [])
  await lockFirstSaleCustomers(tx, references.flat())
  const sales = await lockSalesByReference(tx, references.flat())
  const keyOf = ({ programId, invoiceId }: { programId: number; invoiceId: string }) => `${programId} ${invoiceId}`
  return references.map((ofPayment) => {
    const keys = new Set(ofPayment.map(keyOf))
    return sales.filter((sale) => keys.has(keyOf(sale)))
  })
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
    WHERE sale.click_id IS NOT NULL AND sale.voided_at IS NULL AND EXISTS (
      SELECT FROM reward_terms terms
      WHERE terms.program_id = sale.program_id AND terms.sale_duration IN ('first', 'months'))`.execute(tx)
  if (rows.length > 0) await lockCustomersByClick(tx, rows)
}

/**
 * Creates all missing sales in one batch and returns them by the index of their payment. Payments that already have refunds or
 * disputes are left to `syncSale`.
 */
const makeMissingSales = async (
  tx: Tx,
  { clock, hashKey }: Recorder,
  { payments, sales, lockedTerms }: { payments: LoadedPayment[]; sales: Sale[][]; lockedTerms: LockedTerms },
) => {
  const missing = payments.flatMap(({ creditable, state }, index) =>
    creditable && sales[index]?.length === 0 && hasNoRefundsOrDisputes(state) ? [{ creditable, index }] : [],
  )
  const at = clock()
  const newSales = missing.map(({ creditable }) => toNewSale(creditable, creditable.paid.invoiceId, at))
  const areLocked = missing.every(({ creditable }) => lockedTerms.programIds.has(creditable.program.id))
  const made = newSales.length > 0 ? await createSales(tx, hashKey, newSales, areLocked ? lockedTerms : undefined) : []
  return new Map(
    missing.map(({ creditable, index }, missingIndex) => {
      const sale = made[missingIndex]
      if (!sale) throw new Error('another sale already has the invoice_id of this payment')
      return [index, { currency: creditable.paid.currency, reason: sale.reason }]
    }),
  )
}

const hasNoRefundsOrDisputes = ({ refundIds, refundedGrossCents, disputes }: PaymentState) =>
  refundIds.length === 0 && refundedGrossCents === 0 && disputes.length === 0

/**
 * Finds sales that already match their payment, by the index of the payment. Most reports contain nothing new, so this skips
 * most of the work. Sales with a refund or dispute are excluded, because reports can take those back.
 */
const findUnchangedSales = async (tx: Tx, payments: LoadedPayment[], sales: Sale[][]): Promise<Map<number, Sale>> => {
  const upToDate = payments.flatMap((payment, index) => {
    const [only, ...others] = sales[index] ?? []
    return only && others.length === 0 && isUpToDate(only, payment) ? [{ index, sale: only }] : []
  })
  const touched = await findRefundedOrDisputed(
    tx,
    upToDate.map(({ sale }) => sale),
  )
  return new Map(upToDate.filter(({ sale }) => !touched.has(saleKey(sale))).map(({ index, sale }) => [index, sale]))
}

/** Plans the sale of one payment, executes the plan and updates the sale. */
const syncSale = async (tx: Tx, recorder: Recorder, { reports, creditable }: LoadedPayment, sales: Sale[]) => {
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
const isUpToDate = (sale: Sale, { creditable, state }: LoadedPayment) => {
  if (!creditable || !hasNoRefundsOrDisputes(state)) return false
  const { program, paid, attribution } = creditable
  const isNamed = sale.customerKey !== null && sale.customerKey === attribution.customerKey
  const isSame =
    sale.programId === program.id &&
    sale.currency === paid.currency &&
    sale.amountCents === paid.netCents &&
    sale.soldAt.getTime() === paid.soldAt.getTime() &&
    sale.subscriptionId === (sale.subscriptionId ?? paid.subscriptionId)
  return (
    isNamed && isSame && sale.clickId !== null && (sale.reportedBy === 'merchant' || sale.invoiceId === paid.invoiceId)
  )
}
