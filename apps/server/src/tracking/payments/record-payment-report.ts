import { excluding, type Outcome } from '../../database/batches.ts'
import type { Tx } from '../../database/transaction.ts'
import type { PaymentReport } from '../../payments/payment-report.ts'
import { keepReports, type ReportFate } from '../../payments/payment-reports.ts'
import { joinPayment, joinPayments } from '../../payments/payments.ts'
import type { Program } from '../../programs/programs.ts'
import type { Recorder } from '../recorder.ts'
import { followPayments } from './follow-payment.ts'

export type Heard = {
  /** Whose connection delivered it. */
  home: Program
  report: PaymentReport
}

type Recorded = { reportId: number; paymentId: number } & ReportFate

/**
 * One operation for every message of every processor: which payment each is about, the report itself, and whatever follows from
 * all reports of that payment together. In the transaction of whoever keeps the messages. A report that makes one payment of two
 * has to be told alone.
 */
export const recordPaymentReports = async (
  tx: Tx,
  dependencies: Recorder,
  heard: Heard[],
): Promise<Outcome<Recorded>[]> => {
  const named = heard.map(({ home, report }) => ({ programId: home.id, references: report.references }))
  const [first] = named
  const payments = first && named.length === 1 ? [await joinPayment(tx, first)] : await joinPayments(tx, named)
  if (payments.includes(null)) return excluding(payments.map((id) => id === null))
  // Not before the payments are ours: of two that come at once, the one that is judged first was heard first.
  const receivedAt = dependencies.clock()
  const kept = heard.map(({ home, report }, place) => ({
    ...{ home, programId: home.id, paymentId: payments[place] as number, receivedAt },
    // A processor whose clock is ahead of ours sells nothing in the future.
    report: { ...report, at: report.at < receivedAt ? report.at : receivedAt },
  }))
  const reportIds = await keepReports(tx, kept)
  const fates = await followPayments(tx, dependencies, kept)
  return kept.map(({ programId, paymentId }, place) => {
    const reportId = reportIds[place] as number
    const fate = fates.get(`${programId} ${reportId}`)
    if (!fate) throw new Error('the report that was kept is there')
    return { reportId, paymentId, ...fate }
  })
}

export const recordPaymentReport = async (tx: Tx, dependencies: Recorder, heard: Heard): Promise<Recorded> => {
  const [recorded] = await recordPaymentReports(tx, dependencies, [heard])
  return recorded as Recorded
}
