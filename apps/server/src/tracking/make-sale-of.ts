import type { Tx } from '../database/transaction.ts'
import type { Creditable, Telling } from './creditable.ts'
import { type Making, makeSales } from './make-sale.ts'

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

export const makeSaleOf = async (
  tx: Tx,
  { clock, hashKey }: Telling,
  { creditable, invoiceId }: { creditable: Creditable; invoiceId: string },
) => {
  const [made] = await makeSales(tx, hashKey, [saleOf(creditable, invoiceId, clock())])
  if (!made) throw new Error('a name that this payment holds was taken by a sale')
}
