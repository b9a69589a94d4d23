import type { Tx } from '../database/transaction.ts'
import { lockSales, type Sale } from '../sales/sales.ts'
import type { Counting, Creditable, Dependencies } from './follow-payment.ts'
import { makeSale } from './make-sale.ts'
import { mergeSales } from './merge-sales.ts'

type Payment = { sales: Sale[]; names: { programIds: number[]; invoiceIds: string[] }; creditable: Creditable | null }
type Found = { sale: Sale | null; counting: Counting[] }

/** The one sale of a payment: the one that is there, the one that is left where there were several, or a new one. */
export const oneSaleOf = async (
  tx: Tx,
  dependencies: Dependencies,
  { sales, names, creditable }: Payment,
): Promise<Found> => {
  if (sales.length > 0) return mergeSales(tx, dependencies, sales)
  if (!creditable) return { sale: null, counting: [] }
  const { program, paid, attribution } = creditable
  const made = await makeSale(tx, dependencies.hashKey, {
    call: {
      program,
      invoiceId: paid.name,
      customerKey: attribution.customerKey,
      clickId: attribution.clickId,
      amountCents: paid.netCents,
      currency: paid.currency,
      eventName: null,
      subscriptionId: paid.subscriptionId,
      metadata: null,
    },
    reportedBy: 'processor',
    soldAt: paid.soldAt,
    at: dependencies.clock(),
  })
  if (!made) throw new Error('a name that this payment holds was taken by a sale')
  const [sale = null] = await lockSales(tx, names)
  return { sale, counting: made.counted.map((row) => ({ ...row, programId: program.id })) }
}
