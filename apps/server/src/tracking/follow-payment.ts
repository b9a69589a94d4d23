import type { Clock } from '../clock.ts'
import type { Tx } from '../database/transaction.ts'
import { fateOf } from '../payments/fate-of-report.ts'
import { foldReports, type PaymentState } from '../payments/fold-reports.ts'
import { changeFate, type KeptReport, listReports } from '../payments/payment-reports.ts'
import { joinPayment, lockPayments, referencesOf } from '../payments/payments.ts'
import { programsBeside } from '../payments/workspace.ts'
import { findProgram, type Program } from '../programs/programs.ts'
import { lockSales, type Sale } from '../sales/find-sales.ts'
import { bringSaleTo } from './bring-sale-to.ts'
import { oneSaleOf } from './one-sale-of.ts'
import { settleLeadsOfPayment } from './settle-leads-of-payment.ts'

export type Dependencies = { clock: Clock; hashKey: string }

/** A payment that was made, for somebody who may be credited. */
export type Creditable = {
  program: Program
  paid: NonNullable<PaymentState['paid']>
  attribution: NonNullable<PaymentState['attribution']>
}

type Followed = {
  /** The program that heard of the payment. */
  home: Program
  paymentId: number
}

/**
 * Brings lead, sale, refunds and disputes of a payment to what all of its reports come to. Order cannot matter, for nothing
 * is done on the word of one report; and doing it again does nothing, for everything is there already.
 */
export const followPayment = async (
  tx: Tx,
  dependencies: Dependencies,
  { home, paymentId }: Followed,
): Promise<void> => {
  const programId = home.id
  const [locked] = await lockPayments(tx, { programId, paymentIds: [paymentId] })
  if (locked === undefined) return
  const reports = await listReports(tx, { programId, paymentId })
  const state = foldReports(reports.map(({ report }) => report))
  const program = await namedProgram(tx, { home, state })
  const creditable = creditableBy(program, state)
  const references = await referencesOf(tx, { programId, paymentId })

  if (creditable) {
    // The names are claimed where the sale is made, too, so that the merchant cannot report it there once more.
    if (creditable.program.id !== programId) await joinPayment(tx, { programId: creditable.program.id, references })
    await settleLeadsOfPayment(tx, dependencies, { creditable, named: state.named })
  }
  // The merchant may have reported it in any program of the workspace: a payment does not always say whose it is.
  const names = { programIds: await programsBeside(tx, programId), invoiceIds: references }
  const sale = await oneSaleOf(tx, dependencies, { sales: await lockSales(tx, names), names, creditable })
  if (sale) {
    const known = foldReports(
      reports.map(({ report }) => report),
      sale.currency,
    )
    await bringSaleTo(tx, dependencies, { sale, state: known, creditable })
  }
  await judgeReports(tx, { programId, reports, state, sale, isForeign: !program })
}

/** The program that the payment names, or the one that heard of it. Null for somebody else's, whatever was checked before. */
const namedProgram = async (tx: Tx, { home, state }: { home: Program; state: PaymentState }) => {
  const { programId } = state.attribution ?? { programId: home.id }
  if (programId === home.id) return home
  const named = await findProgram(tx, programId)
  return named?.workspaceId === home.workspaceId ? named : null
}

const creditableBy = (program: Program | null, { paid, attribution }: PaymentState): Creditable | null =>
  program && paid && attribution ? { program, paid, attribution } : null

type Judged = { programId: number; reports: KeptReport[]; state: PaymentState; sale: Sale | null; isForeign: boolean }

/** What became of each report may change with each that comes. */
const judgeReports = async (tx: Tx, { programId, reports, state, sale, isForeign }: Judged) => {
  for (const { id, report, fate, reason } of reports) {
    const now = fateOf(report, { state, isForeign, sale })
    if (now.fate !== fate || now.reason !== reason) await changeFate(tx, { programId, id, ...now })
  }
}
