import type { Recorder } from '../../clock.ts'
import type { Tx } from '../../database/transaction.ts'
import type { PaymentReport } from '../../payments/payment-report.ts'
import { type ReportDecision, storeReports } from '../../payments/payment-reports.ts'
import { joinPayments } from '../../payments/payments.ts'
import type { Program } from '../../programs/programs.ts'
import { syncPayments } from './sync-payments.ts'

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
  await joinPayments(tx, reported)
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
  await storeReports(tx, reports)
  const decisions = await syncPayments(tx, recorder, reports)
  for (const { row, programId, reportId } of reports) {
    row.reportId = reportId
    row.decision = decisions.get(`${programId} ${reportId}`)
    if (!row.decision) throw new Error('a stored report has no decision')
  }
}
