import type { Database } from '../../src/database/connect.ts'
import type { SharedTransactions, Transactions } from '../../src/database/shared-transactions.ts'
import { inTransaction } from '../../src/database/transaction.ts'

/** Leads and sales each in a transaction of its own, as on a quiet day. */
export const separately = (db: Database): SharedTransactions => {
  const run: Transactions = (_, story) => inTransaction(db, story)
  return { leads: run, sales: run }
}
