import type { Recorder } from '../../src/clock.ts'
import type { Tx } from '../../src/database/transaction.ts'
import type { ReportDecision } from '../../src/payments/payment-reports.ts'
import { type IncomingReport, recordPaymentReports } from '../../src/tracking/payments/sync-payments.ts'

type Recorded = { reportId: number; paymentId: number } & ReportDecision

/** Records one processor report, outside a batch. */
export const recordPaymentReport = async (tx: Tx, recorder: Recorder, incoming: IncomingReport): Promise<Recorded> => {
  const row: IncomingReport = { ...incoming }
  await recordPaymentReports(tx, recorder, [row])
  const { reportId, paymentId, decision } = row
  if (reportId === undefined || !paymentId || !decision) throw new Error('the report was not recorded')
  return { reportId, paymentId, ...decision }
}
