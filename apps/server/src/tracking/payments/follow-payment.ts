import type { Tx } from '../../database/transaction.ts'
import { nameOfSale, refundedOrDisputed } from '../../money/commissions/refunds.ts'
import { lockAccountsOfSales } from '../../money/ledger/ledger.ts'
import { fateOf } from '../../payments/fate-of-report.ts'
import { foldReports, type PaymentState } from '../../payments/fold-reports.ts'
import { changeFates, type KeptReport, listAllReports, type ReportFate } from '../../payments/payment-reports.ts'
import { joinPayment, lockPayments, referencesOfAll } from '../../payments/payments.ts'
import { programsBesideAll } from '../../payments/workspace.ts'
import { findPrograms, type Program } from '../../programs/programs.ts'
import { lockSalesByReference, type Sale } from '../../sales/find-sales.ts'
import { settlePaymentLeads } from '../leads/settle-payment-leads.ts'
import type { Recorder } from '../recorder.ts'
import { createSales } from '../sales/create-sales.ts'
import { loadCandidates } from './load-candidates.ts'
import { carryOut, saleOf } from './merge-sales.ts'
import { type CreditablePayment, planSale } from './plan-sale.ts'
import { updateSale } from './update-sale.ts'

type Followed = {
  /** The program that heard of the payment. */
  home: Program
  paymentId: number
}

/** A payment with all that was told of it, and what that comes to. */
type Loaded = Followed & {
  reports: KeptReport[]
  references: string[]
  /** The programs of its workspace: the merchant may have reported it in any, for a payment does not always say whose it is. */
  programIds: number[]
  state: PaymentState
  /** Null for somebody else's. */
  program: Program | null
  creditable: CreditablePayment | null
}

/**
 * Brings leads, sales, refunds and disputes of payments to what all of their reports come to. Order cannot matter, for nothing
 * is done on the word of one report; and doing it again does nothing, for everything is there already. The payments are locked.
 * Answers what became of each report.
 */
export const followPayments = async (tx: Tx, recorder: Recorder, followed: Followed[]) => {
  const payments = await load(tx, followed)
  const creditable = payments.flatMap((payment) => (payment.creditable ? [{ ...payment, ...payment.creditable }] : []))
  // The names are claimed where the sale is made, too, so that the merchant cannot report it there once more.
  for (const { program, home, references } of creditable)
    if (program.id !== home.id) await joinPayment(tx, { programId: program.id, references })
  await settlePaymentLeads(
    tx,
    recorder,
    creditable.map((payment) => ({ creditable: payment, named: payment.state.named })),
  )
  const sales = await salesOf(tx, payments)
  const made = await makeMissing(tx, recorder, payments, sales)
  const settled = await settledSales(tx, payments, sales)
  const changing = sales.filter((_, place) => !made.has(place) && !settled.has(place)).flat()
  await lockAccountsOfSales(tx, changing)
  const fates = new Map<string, ReportFate>()
  const changed: ({ programId: number; id: number } & ReportFate)[] = []
  for (const [place, payment] of payments.entries()) {
    const found = sales[place] ?? []
    const sale = made.get(place) ?? settled.get(place) ?? (await settleSale(tx, recorder, payment, found))
    const programId = payment.home.id
    for (const { id, report, fate, reason } of payment.reports) {
      const now = fateOf(report, { state: payment.state, isForeign: !payment.program, sale })
      fates.set(`${programId} ${id}`, now)
      if (now.fate !== fate || now.reason !== reason) changed.push({ programId, id, ...now })
    }
  }
  await changeFates(tx, changed)
  return fates
}

/** The same for one, which may have become part of another meanwhile. */
export const followPayment = async (tx: Tx, recorder: Recorder, { home, paymentId }: Followed) => {
  const [locked] = await lockPayments(tx, { programId: home.id, paymentIds: [paymentId] })
  if (locked !== undefined) await followPayments(tx, recorder, [{ home, paymentId }])
}

/** Each payment once, however many reports of it there are. */
const load = async (tx: Tx, followed: Followed[]): Promise<Loaded[]> => {
  const unique = [...new Map(followed.map((one) => [`${one.home.id} ${one.paymentId}`, one])).values()]
  const keys = unique.map(({ home, paymentId }) => ({ programId: home.id, paymentId }))
  const reports = await listAllReports(tx, keys)
  const references = await referencesOfAll(tx, keys)
  const beside = await programsBesideAll(
    tx,
    unique.map(({ home }) => home.id),
  )
  const states = reports.map((told) => foldReports(told.map(({ report }) => report)))
  const named = states.flatMap(({ attribution }) => attribution?.programId ?? [])
  const homes = unique.map(({ home }) => home)
  const others = named.filter((id) => homes.every((home) => home.id !== id))
  const programs = new Map([...homes, ...(await findPrograms(tx, others))].map((program) => [program.id, program]))
  return unique.map((one, place) => {
    const state = states[place] as PaymentState
    const program = namedProgram(one.home, state, programs)
    return {
      ...{ ...one, state, program, reports: reports[place] ?? [], references: references[place] ?? [] },
      programIds: beside.get(one.home.id) ?? [],
      creditable: creditableBy(program, state),
    }
  })
}

/** The program that the payment names, or the one that heard of it. Null for somebody else's, whatever was checked before. */
const namedProgram = (home: Program, { attribution }: PaymentState, programs: Map<number, Program>) => {
  const named = programs.get(attribution?.programId ?? home.id)
  return named?.workspaceId === home.workspaceId ? named : null
}

const creditableBy = (program: Program | null, { paid, attribution }: PaymentState): CreditablePayment | null =>
  program && paid && attribution ? { program, paid, attribution } : null

/** The live sales of each payment, under any of its names, locked. */
const salesOf = async (tx: Tx, payments: Loaded[]): Promise<Sale[][]> => {
  const names = payments.map(({ programIds, references }) =>
    programIds.flatMap((programId) => references.map((invoiceId) => ({ programId, invoiceId }))),
  )
  const sales = await lockSalesByReference(tx, names.flat())
  const nameOf = ({ programId, invoiceId }: { programId: number; invoiceId: string }) => `${programId} ${invoiceId}`
  return names.map((own) => {
    const ours = new Set(own.map(nameOf))
    return sales.filter((sale) => ours.has(nameOf(sale)))
  })
}

/**
 * Makes the sales of payments that have none, all at once. Answers those that are done with that, by the place of their payment;
 * one that was refunded or disputed before its sale was made has more to follow.
 */
const makeMissing = async (tx: Tx, { clock, hashKey }: Recorder, payments: Loaded[], sales: Sale[][]) => {
  const missing = payments.flatMap(({ creditable, state }, place) =>
    creditable && sales[place]?.length === 0 && isWithoutSequel(state) ? [{ creditable, place }] : [],
  )
  const at = clock()
  const making = missing.map(({ creditable }) => saleOf(creditable, creditable.paid.name, at))
  const made = making.length > 0 ? await createSales(tx, hashKey, making) : []
  return new Map(
    missing.map(({ creditable, place }, nth) => {
      const sale = made[nth]
      if (!sale) throw new Error('a name that this payment holds was taken by a sale')
      return [place, { currency: creditable.paid.currency, reason: sale.reason }]
    }),
  )
}

const isWithoutSequel = ({ refundIds, refundedGrossCents, disputes }: PaymentState) =>
  refundIds.length === 0 && refundedGrossCents === 0 && disputes.length === 0

/**
 * The sales that are what their payments came to, by the place of the payment: most reports repeat what others said, and there is
 * nothing to do. Not one that was ever refunded or disputed: what it says of that may have been taken back.
 */
const settledSales = async (tx: Tx, payments: Loaded[], sales: Sale[][]): Promise<Map<number, Sale>> => {
  const asTold = payments.flatMap((payment, place) => {
    const [only, ...others] = sales[place] ?? []
    return only && others.length === 0 && isAsTold(only, payment) ? [{ place, sale: only }] : []
  })
  const touched = await refundedOrDisputed(
    tx,
    asTold.map(({ sale }) => sale),
  )
  return new Map(asTold.filter(({ sale }) => !touched.has(nameOfSale(sale))).map(({ place, sale }) => [place, sale]))
}

/** One payment after the other: plan its sale, make or merge what the plan says, and update the sale. */
const settleSale = async (tx: Tx, recorder: Recorder, { reports, creditable }: Loaded, sales: Sale[]) => {
  const plan = planSale(await loadCandidates(tx, sales, creditable), creditable)
  const sale = await carryOut(tx, recorder, plan, creditable)
  if (!sale) return null
  const state = foldReports(
    reports.map(({ report }) => report),
    sale.currency,
  )
  return updateSale(tx, recorder, { sale, isPaid: plan.keep?.isPaid ?? false, state, payment: creditable })
}

/** Whether a sale has the amount, the moment and the names that its payment came to, and nobody has told of a refund or a dispute. */
const isAsTold = (sale: Sale, { creditable, state }: Loaded) => {
  if (!creditable || !isWithoutSequel(state)) return false
  const { program, paid, attribution } = creditable
  const isNamed = sale.customerKey !== null && sale.customerKey === attribution.customerKey
  const isSame =
    sale.programId === program.id &&
    sale.currency === paid.currency &&
    sale.amountCents === paid.netCents &&
    sale.soldAt.getTime() === paid.soldAt.getTime() &&
    sale.subscriptionId === (sale.subscriptionId ?? paid.subscriptionId)
  return isNamed && isSame && sale.clickId !== null && (sale.reportedBy === 'merchant' || sale.invoiceId === paid.name)
}
