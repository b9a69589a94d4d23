import type { Tx } from '../database/transaction.ts'
import { lockSales, type Sale } from '../sales/sales.ts'
import type { Counting, Creditable, Dependencies } from './follow-payment.ts'
import { makeSale } from './make-sale.ts'
import { mergeSales, wasPaid } from './merge-sales.ts'

type Payment = { sales: Sale[]; names: { programIds: number[]; invoiceIds: string[] }; creditable: Creditable | null }
type Found = { sale: Sale | null; counting: Counting[] }

/** The one sale of a payment: the one that is there, the one that is left where there were several, or a new one. */
export const oneSaleOf = async (
  tx: Tx,
  dependencies: Dependencies,
  { sales, names, creditable }: Payment,
): Promise<Found> => {
  if (sales.length > 0 && (await mayStay(tx, { sales, creditable })))
    return mergeSales(tx, dependencies, { sales, programId: creditable?.program.id ?? null })
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
  const counting = made.counted.map((row) => ({ ...row, programId: program.id }))
  const merged = await mergeSales(tx, dependencies, { sales: await lockSales(tx, names), programId: program.id })
  return { sale: merged.sale, counting: [...counting, ...merged.counting] }
}

/**
 * Whether one of these is the sale of the payment. Messages of one payment may name two programs of a workspace: then the sale
 * is made where all of them together say, unless the one that is there was paid, or is other money.
 */
const mayStay = async (tx: Tx, { sales, creditable }: { sales: Sale[]; creditable: Creditable | null }) => {
  if (!creditable) return true
  const { program, paid } = creditable
  if (sales.some(({ programId, currency }) => programId === program.id || currency !== paid.currency)) return true
  for (const sale of sales) if (await wasPaid(tx, sale)) return true
  return false
}
