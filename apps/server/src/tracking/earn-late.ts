import type { Tx } from '../database/transaction.ts'
import { earnForSales, type SaleEvent } from './earn-commission.ts'
import { reverseFor } from './reverse-for.ts'
import { followDisputes } from './take-dispute.ts'

/** A sale that earns only now may have been refunded or disputed meanwhile. */
export const earnLate = async (tx: Tx, hashKey: string, sale: SaleEvent) => {
  const { programId, saleId, amountCents, currency, at } = sale
  await earnForSales(tx, hashKey, [sale])
  await reverseFor(tx, { programId, sale: { id: saleId, amountCents, currency }, cause: 'late_credit', at })
  await followDisputes(tx, { programId, saleId, at })
}
