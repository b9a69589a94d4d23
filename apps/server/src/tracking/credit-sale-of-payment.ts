import { attributeSale } from '../attribution/attribute-sale.ts'
import { markAsBuyer } from '../customers/customers.ts'
import type { Tx } from '../database/transaction.ts'
import { keepDecision } from '../explain/decisions.ts'
import type { Sale } from '../sales/find-sales.ts'
import { creditSale, leaveUncredited } from '../sales/sales.ts'
import { earnLate } from './earn-late.ts'
import type { Counting, Creditable } from './follow-payment.ts'
import { creditBy, factsOfSale } from './make-sale.ts'
import { settleFirstSale } from './settle-first-sale.ts'

type Crediting = { sale: Sale; creditable: Creditable; at: Date }

/** A sale that is nobody's yet, of a payment that says by now whose it is. */
export const creditSaleOfPayment = async (
  tx: Tx,
  hashKey: string,
  { sale, creditable: { program, attribution }, at }: Crediting,
): Promise<{ sale: Sale; counting: Counting[] }> => {
  const { programId, id: saleId, amountCents, currency, soldAt, day } = sale
  if (sale.clickId !== null) return { sale, counting: [] }
  const { customer, facts } = await factsOfSale(tx, { program, ...attribution }, soldAt)
  const result = attributeSale(facts)
  const credit = creditBy(result, customer)
  const of = { saleId }
  if ('reason' in credit) {
    const { reason } = credit
    const isKnown = reason === sale.reason || sale.reportedBy === 'merchant'
    if (isKnown) return { sale, counting: [] }
    await keepDecision(tx, { programId, subject: 'sale', subjectId: saleId, of, rule: 'sale', facts, result, at })
    await leaveUncredited(tx, { programId, saleId, reason })
    return { sale: { ...sale, reason }, counting: [] }
  }
  await keepDecision(tx, { programId, subject: 'sale', subjectId: saleId, of, rule: 'sale', facts, result, at })
  await creditSale(tx, { programId, saleId, ...credit, creditedAt: at })
  await markAsBuyer(tx, { programId, clickId: credit.clickId })
  await earnLate(tx, hashKey, { programId, saleId, ...credit, amountCents, currency, soldAt, at })
  const changing = await settleFirstSale(tx, hashKey, { programId, clickId: credit.clickId, at })
  return {
    sale: { ...sale, ...credit, reason: null },
    counting: [{ programId, ...credit, day, sales: 1 }, ...changing],
  }
}
