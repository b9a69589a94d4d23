import type { Recorder } from '../../src/clock.ts'
import { createUnbatchedQueue } from '../../src/database/batches.ts'
import type { Database } from '../../src/database/connect.ts'
import { recordLeads } from '../../src/tracking/leads/record-lead.ts'
import { syncPayment } from '../../src/tracking/payments/sync-payments.ts'
import { recordRefunds } from '../../src/tracking/sales/record-refund.ts'
import { recordSales } from '../../src/tracking/sales/record-sale.ts'

/** Runs leads, sales and refunds each in its own transaction, as under low load. */
export const inSeparateTransactions = (db: Database, recorder: Recorder) => ({
  leads: createUnbatchedQueue(db, recordLeads(recorder)),
  sales: createUnbatchedQueue(db, recordSales(recorder, syncPayment)),
  refunds: createUnbatchedQueue(db, recordRefunds(recorder)),
})
