import { alone, type Batch } from '../../src/database/batches.ts'
import type { Database } from '../../src/database/connect.ts'
import { recordLeads, type Telling } from '../../src/tracking/record-lead.ts'
import { recordSales } from '../../src/tracking/record-sale.ts'

/** Leads and sales each in a transaction of its own, as on a quiet day. */
export const separately = (db: Database, telling: Telling) => ({
  leads: eachAlone(db, recordLeads(telling)),
  sales: eachAlone(db, recordSales(telling)),
})

const eachAlone = <Call, Result>(db: Database, batch: Batch<Call, Result>) => ({
  run: (_: string[], call: Call) => alone(db, batch, call),
  alone: (call: Call) => alone(db, batch, call),
})
