import type { Tx } from '../database/transaction.ts'
import { lockSales, type Sale } from '../sales/find-sales.ts'
import { changeSale } from '../sales/sales.ts'
import type { Creditable, Telling } from './creditable.ts'
import { makeSaleOf } from './make-sale-of.ts'
import { mergeInto, nameOfVoided } from './merge-sales.ts'

type Remaking = { sale: Sale; creditable: Creditable }

/**
 * A message that knows better has named another customer than the one whom the sale was made for, or another moment, at which it
 * was another's. What was told first must not show: the sale is made anew, under the same name, and the first is voided as if it
 * had never been.
 */
export const remakeSale = async (
  tx: Tx,
  dependencies: Telling,
  { sale: before, creditable }: Remaking,
): Promise<Sale> => {
  const { programId, id: saleId, invoiceId } = before
  await changeSale(tx, { programId, saleId, invoiceId: nameOfVoided(before) })
  await makeSaleOf(tx, dependencies, { creditable, invoiceId })
  const [sale] = await lockSales(tx, { programIds: [programId], invoiceIds: [invoiceId] })
  if (!sale) throw new Error('the sale that was made is there')
  await mergeInto(tx, dependencies, { sale, others: [{ ...before, isPaid: false }] })
  return sale
}
