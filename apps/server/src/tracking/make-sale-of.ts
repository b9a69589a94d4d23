import type { Tx } from '../database/transaction.ts'
import type { Creditable, Dependencies } from './follow-payment.ts'
import { makeSales } from './make-sale.ts'

type Making = { creditable: Creditable; invoiceId: string }

/** The sale that a payment comes to, for whom all of its reports together name. */
export const makeSaleOf = async (
  tx: Tx,
  { clock, hashKey }: Dependencies,
  { creditable: { program, paid, attribution }, invoiceId }: Making,
): Promise<void> => {
  const sale = {
    call: {
      program,
      invoiceId,
      customerKey: attribution.customerKey,
      clickId: attribution.clickId,
      amountCents: paid.netCents,
      currency: paid.currency,
      eventName: null,
      subscriptionId: paid.subscriptionId,
      metadata: null,
    },
    reportedBy: 'processor' as const,
    soldAt: paid.soldAt,
    at: clock(),
  }
  const [made] = await makeSales(tx, hashKey, [sale])
  if (!made) throw new Error('a name that this payment holds was taken by a sale')
}
