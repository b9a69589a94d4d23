import type { Tx } from '../../database/transaction.ts'
import { lockSales, type Sale } from '../../sales/find-sales.ts'
import { changeSale } from '../../sales/sales.ts'
import { type Making, makeSales } from '../sales/make-sale.ts'
import type { Creditable, Telling } from './creditable.ts'
import { isToBeRemade } from './is-to-be-remade.ts'
import { mergeInto, mergeSales, nameOfVoided, wasPaid } from './merge-sales.ts'

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

type Remaking = { sale: Sale; creditable: Creditable }

/**
 * A message that knows better has named another customer than the one whom the sale was made for, or another moment, at which it
 * was another's. What was told first must not show: the sale is made anew, under the same name, and the first is voided as if it
 * had never been.
 */
const remakeSale = async (tx: Tx, dependencies: Telling, { sale: before, creditable }: Remaking): Promise<Sale> => {
  const { programId, id: saleId, invoiceId } = before
  await changeSale(tx, { programId, saleId, invoiceId: nameOfVoided(before) })
  await makeSaleOf(tx, dependencies, { creditable, invoiceId })
  const [sale] = await lockSales(tx, { programIds: [programId], invoiceIds: [invoiceId] })
  if (!sale) throw new Error('the sale that was made is there')
  await mergeInto(tx, dependencies, { sale, others: [{ ...before, isPaid: false }] })
  return sale
}

/** The sale that a payment comes to, for whom all of its reports together name. */
export const saleOf = ({ program, paid, attribution }: Creditable, invoiceId: string, at: Date): Making => ({
  call: {
    ...{ program, invoiceId, customerKey: attribution.customerKey, clickId: attribution.clickId },
    ...{ amountCents: paid.netCents, currency: paid.currency, subscriptionId: paid.subscriptionId },
    ...{ eventName: null, metadata: null },
  },
  reportedBy: 'processor',
  soldAt: paid.soldAt,
  at,
})

const makeSaleOf = async (
  tx: Tx,
  { clock, hashKey }: Telling,
  { creditable, invoiceId }: { creditable: Creditable; invoiceId: string },
) => {
  const [made] = await makeSales(tx, hashKey, [saleOf(creditable, invoiceId, clock())])
  if (!made) throw new Error('a name that this payment holds was taken by a sale')
}
