import type { Recorder } from '../../clock.ts'
import { excluding, type Outcome } from '../../database/batches.ts'
import type { Tx } from '../../database/transaction.ts'
import type { PaymentReport } from '../../payments/payment-report.ts'
import { type ReportFate, storeReports } from '../../payments/payment-reports.ts'
import { joinPayments } from '../../payments/payments.ts'
import type { Program } from '../../programs/programs.ts'
import { syncPayments } from './sync-payments.ts'

export type IncomingReport = {
  /** The workspace's home program (processor/home-programs.ts). */
  home: Program
  report: PaymentReport
}

export type Recorded = { reportId: number; paymentId: number } & ReportFate

/**
 * Records processor reports: finds their payments, stores the reports and syncs the payments. Runs in the transaction that
 * stores the events. If a report connects several payments, it is excluded from the batch and must be rerun on its own.
 */
export const recordPaymentReports = async (
  tx: Tx,
  recorder: Recorder,
  incoming: IncomingReport[],
): Promise<Outcome<Recorded>[]> => {
  const references = incoming.map(({ home, report }) => ({ programId: home.id, references: report.references }))
  const payments = await joinPayments(tx, references)
  if (payments.includes(null)) return excluding(payments.map((id) => id === null))
  // Read the clock after locking the payments, so that concurrent reports get times in processing order.
  const receivedAt = recorder.clock()
  const stored = incoming.map(({ home, report }, index) => ({
    ...{ home, report, programId: home.id, paymentId: payments[index] as number, receivedAt },
  }))
  const reportIds = await storeReports(tx, stored)
  const fates = await syncPayments(tx, recorder, stored)
  return stored.map(({ programId, paymentId }, index) => {
    const reportId = reportIds[index] as number
    const fate = fates.get(`${programId} ${reportId}`)
    if (!fate) throw new Error('a stored report has no fate')
    return { reportId, paymentId, ...fate }
  })
}
