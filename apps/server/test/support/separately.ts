import { createUnbatchedQueue } from '../../src/database/batches.ts'
import type { Database } from '../../src/database/connect.ts'
import { recordLeads } from '../../src/tracking/leads/record-lead.ts'
import type { Recorder } from '../../src/tracking/recorder.ts'
import { recordRefunds } from '../../src/tracking/sales/record-refund.ts'
import { recordSales } from '../../src/tracking/sales/record-sale.ts'

/** Leads, sales and refunds each in a transaction of its own, as on a quiet day. */
export const separately = (db: Database, recorder: Recorder) => ({
  leads: createUnbatchedQueue(db, recordLeads(recorder)),
  sales: createUnbatchedQueue(db, recordSales(recorder)),
  refunds: createUnbatchedQueue(db, recordRefunds(recorder)),
})
