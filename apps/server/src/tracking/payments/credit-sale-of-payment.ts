import { attributeSale } from '../../attribution/attribute-sale.ts'
import { markAsBuyer } from '../../customers/customers.ts'
import type { Tx } from '../../database/transaction.ts'
import { markDays } from '../../events/roll-up/changed-days.ts'
import { keepDecision } from '../../explain/decisions.ts'
import type { Sale } from '../../sales/find-sales.ts'
import { creditSale, leaveUncredited } from '../../sales/sales.ts'
import { earnLate } from '../sales/earn-commission.ts'
import { creditBy, factsOfSale } from '../sales/make-sale.ts'
import { settleFirstSale } from '../sales/settle-first-sale.ts'
import type { Creditable } from './creditable.ts'

type Crediting = { sale: Sale; creditable: Creditable; at: Date }

/** A sale that is nobody's yet, of a payment that says by now whose it is. */
export const creditSaleOfPayment = async (
  tx: Tx,
  hashKey: string,
  { sale, creditable: { program, attribution }, at }: Crediting,
): Promise<Sale> => {
  const { programId, id: saleId, amountCents, currency, soldAt, day } = sale
  if (sale.clickId !== null) return sale
  const { customer, facts } = await factsOfSale(tx, { program, ...attribution, soldAt })
  const result = attributeSale(facts)
  const credit = creditBy(result, customer)
  const of = { saleId }
  if ('reason' in credit) {
    const { reason } = credit
    const isKnown = reason === sale.reason || sale.reportedBy === 'merchant'
    if (isKnown) return sale
    await keepDecision(tx, { programId, subject: 'sale', subjectId: saleId, of, rule: 'sale', facts, result, at })
    await leaveUncredited(tx, { programId, saleId, reason })
    return { ...sale, reason }
  }
  await keepDecision(tx, { programId, subject: 'sale', subjectId: saleId, of, rule: 'sale', facts, result, at })
  await creditSale(tx, { programId, saleId, ...credit, creditedAt: at })
  await markDays(tx, [{ programId, day }])
  await markAsBuyer(tx, { programId, clickId: credit.clickId })
  await earnLate(tx, hashKey, { programId, saleId, ...credit, amountCents, currency, soldAt, at })
  await settleFirstSale(tx, hashKey, { programId, clickId: credit.clickId, at })
  return { ...sale, ...credit, reason: null }
}
