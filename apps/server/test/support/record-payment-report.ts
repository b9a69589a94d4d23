import type { Recorder } from '../../src/clock.ts'
import type { Tx } from '../../src/database/transaction.ts'
import {
  type IncomingReport,
  type Recorded,
  recordPaymentReports,
} from '../../src/tracking/payments/record-payment-report.ts'

/** Records one processor report, outside a batch. */
export const recordPaymentReport = async (tx: Tx, recorder: Recorder, incoming: IncomingReport): Promise<Recorded> => {
  const [recorded] = await recordPaymentReports(tx, recorder, [incoming])
  return recorded as Recorded
}
