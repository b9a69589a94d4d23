import { lockCustomerByClick } from '../../customers/customers.ts'
import type { Tx } from '../../database/transaction.ts'
import { markDays } from '../../events/roll-up/changed-days.ts'
import { type Commission, findCommissionsOfSales } from '../../money/commissions/commissions.ts'
import { factsOfCustomers } from '../../money/commissions/customer-facts.ts'
import { type Evaluated, evaluateCustomer, type SaleEvent } from '../../money/commissions/evaluate.ts'
import { readTerms } from '../../money/rewards/program-terms.ts'
import { holdTerms, paysFirstSales } from '../../money/rewards/reward-terms.ts'
import { lockSalesOfCustomer } from '../../sales/sales-of-customer.ts'
import { correctCommission } from './commission-changes.ts'
import { earnLate } from './earn-commission.ts'

type Settling = { programId: number; clickId: string; at: Date }

/**
 * Which sale of a customer was the first is a matter of when they were made, not of when they were told. Called once that may
 * have changed: a sale was told late or credited late, moved, or turned out to be part of another.
 */
export const settleFirstSale = async (tx: Tx, hashKey: string, settling: Settling) => {
  const { programId, clickId } = settling
  await holdTerms(tx, [programId])
  if (!(await paysFirstSales(tx, programId))) return
  await lockCustomerByClick(tx, { programId, clickId })
  const days = new Map((await lockSalesOfCustomer(tx, { programId, clickId })).map(({ id, day }) => [id, day]))
  const terms = await readTerms(tx, programId)
  for (const facts of await factsOfCustomers(tx, { programId, clickIds: clickId })) {
    const { sales } = evaluateCustomer(facts, (partnerId, at) => terms.at(partnerId, at.getTime()) ?? null)
    const commissions = await findCommissionsOfSales(tx, { programId, saleIds: sales.map(({ event }) => event.id) })
    for (const sale of sales) {
      const { id } = sale.event
      await bringTo(tx, hashKey, { ...settling, sale, commission: commissions.get(id), day: days.get(id) })
    }
  }
}

type Bringing = Settling & {
  sale: Evaluated<SaleEvent>
  commission: Commission | undefined
  day: string | undefined
}

const bringTo = async (tx: Tx, hashKey: string, { programId, clickId, sale, commission, day, at }: Bringing) => {
  const { event, terms, reward } = sale
  const { id: saleId, saleCents: amountCents, currency, soldAt, partnerId } = event
  const earns = typeof reward !== 'string'
  if (commission ? commission.amountCents > 0 === earns : !earns) return
  if (day) await markDays(tx, [{ programId, day }])
  if (!commission) {
    await earnLate(tx, hashKey, { programId, saleId, partnerId, clickId, amountCents, currency, soldAt, at })
    return
  }
  const { termsVersion, earnedAt, payableAt } = commission
  await correctCommission(tx, {
    ...{ programId, saleId, cause: 'first', at },
    because: earns ? 'commission_earned' : reward,
    saleCents: { before: amountCents, after: amountCents },
    after: earns
      ? { amountCents: reward.amountCents, termsVersion: terms?.version ?? termsVersion, earnedAt, payableAt }
      : { amountCents: 0, termsVersion, earnedAt, payableAt },
  })
}
