import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { foldReports } from '../payments/fold-reports.ts'
import { listReports } from '../payments/payment-reports.ts'
import { referencesOf } from '../payments/payments.ts'
import { findSales } from '../sales/sales.ts'

/** The sale of a payment, wherever it was made: in the program that heard of it, or in the one that the payment names. */
export const salesOfPayment = async (
  db: Database | Tx,
  { programId, paymentId }: { programId: number; paymentId: number },
) => {
  const reports = await listReports(db, { programId, paymentId })
  const { attribution } = foldReports(reports.map(({ report }) => report))
  const programIds = [...new Set([programId, attribution?.programId ?? programId])]
  return findSales(db, { programIds, invoiceIds: await referencesOf(db, { programId, paymentId }) })
}
