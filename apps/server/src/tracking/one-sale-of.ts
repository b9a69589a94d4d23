import type { Tx } from '../database/transaction.ts'
import { lockSales, type Sale } from '../sales/find-sales.ts'
import type { Creditable, Telling } from './creditable.ts'
import { isToBeRemade } from './is-to-be-remade.ts'
import { makeSaleOf } from './make-sale-of.ts'
import { mergeSales, wasPaid } from './merge-sales.ts'
import { remakeSale } from './remake-sale.ts'

type Payment = { sales: Sale[]; names: { programIds: number[]; invoiceIds: string[] }; creditable: Creditable | null }

/** The one sale of a payment: the one that is there, the one that is left where there were several, or a new one. */
export const oneSaleOf = async (
  tx: Tx,
  dependencies: Telling,
  { sales, names, creditable }: Payment,
): Promise<Sale | null> => {
  if (sales.length > 0 && (await mayStay(tx, { sales, creditable }))) {
    const sale = await mergeSales(tx, dependencies, { sales, creditable })
    if (!sale || !creditable || !(await isToBeRemade(tx, sale, creditable))) return sale
    return remakeSale(tx, dependencies, { sale, creditable })
  }
  if (!creditable) return null
  await makeSaleOf(tx, dependencies, { creditable, invoiceId: creditable.paid.name })
  return mergeSales(tx, dependencies, { sales: await lockSales(tx, names), creditable })
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
