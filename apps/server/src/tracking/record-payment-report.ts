import type { Clock } from '../clock.ts'
import type { Tx } from '../database/transaction.ts'
import type { PaymentReport } from '../payments/payment-report.ts'
import { findReportFates, keepReport, type ReportFate } from '../payments/payment-reports.ts'
import { joinPayment } from '../payments/payments.ts'
import type { Program } from '../programs/programs.ts'
import { followPayment } from './follow-payment.ts'

type Heard = {
  /** Whose connection delivered it. */
  home: Program
  report: PaymentReport
}

/**
 * One story for every message of every processor: which payment it is about, the report itself, and whatever follows from all
 * reports of that payment together. In the transaction of whoever keeps the message.
 */
export const recordPaymentReport = async (
  tx: Tx,
  dependencies: { clock: Clock; hashKey: string },
  { home, report }: Heard,
): Promise<{ reportId: number } & ReportFate> => {
  const programId = home.id
  const paymentId = await joinPayment(tx, { programId, references: report.references })
  // Not before the payment is ours: of two that come at once, the one that is judged first was heard first.
  const receivedAt = dependencies.clock()
  // A processor whose clock is ahead of ours sells nothing in the future.
  const at = report.at < receivedAt ? report.at : receivedAt
  const reportId = await keepReport(tx, { programId, paymentId, report: { ...report, at }, receivedAt })
  await followPayment(tx, dependencies, { home, paymentId })
  const [kept] = await findReportFates(tx, { programId, reportIds: [reportId] })
  if (!kept) throw new Error('the report that was kept is there')
  return { reportId, fate: kept.fate, reason: kept.reason }
}
