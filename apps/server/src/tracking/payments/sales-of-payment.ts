import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import { referencesOf } from '../../payments/payments.ts'
import { programsBeside } from '../../payments/workspace.ts'
import { findSales } from '../../sales/find-sales.ts'

/** The sale of a payment, in whichever program of the workspace it was made. */
export const salesOfPayment = async (
  db: Database | Tx,
  { programId, paymentId }: { programId: number; paymentId: number },
) =>
  findSales(db, {
    programIds: await programsBeside(db, programId),
    invoiceIds: await referencesOf(db, { programId, paymentId }),
  })
