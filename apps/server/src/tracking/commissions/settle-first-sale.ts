import { lockCustomerByClick } from '../../customers/customers.ts'
import type { Tx } from '../../database/transaction.ts'
import { markDays } from '../../events/roll-up/changed-days.ts'
import { type Commission, findCommissionsOfSales } from '../../money/commissions/commissions.ts'
import type { Evaluation, SaleEvent } from '../../money/commissions/evaluate.ts'
import { findFirstSalePrograms, shareLockTerms } from '../../money/rewards/reward-terms.ts'
import { hasRules } from '../../money/rewards/rewards.ts'
import { lockCustomerSales } from '../../sales/customer-sales.ts'
import { correctCommission, earnLate } from './commission-changes.ts'
import { evaluateCustomers, recalculated } from './evaluate-customers.ts'

type CustomerAt = { programId: number; clickId: string; at: Date }

/**
 * A customer's first sale is the earliest one made, not the first one reported. Call this whenever that may have changed: after a
 * sale is reported late, credited late, moved or merged.
 */
export const settleFirstSale = async (tx: Tx, hashKey: string, customer: CustomerAt) => {
  const { programId, clickId } = customer
  await shareLockTerms(tx, [programId])
  if (!(await findFirstSalePrograms(tx, [programId])).has(programId)) return
  await lockCustomerByClick(tx, { programId, clickId })
  const days = new Map((await lockCustomerSales(tx, { programId, clickId })).map(({ id, day }) => [id, day]))
  const sales = await evaluateCustomers(tx, { programId, clickIds: [clickId] })
  const commissions = await findCommissionsOfSales(tx, { programId, saleIds: sales.map(({ event }) => event.id) })
  let earnedLate = false
  for (const sale of sales) {
    const { id } = sale.event
    const commission = commissions.get(id)
    earnedLate ||= !commission && typeof sale.reward !== 'string'
    await correctFirstSale(tx, hashKey, { ...customer, sale, commission, day: days.get(id) })
  }
  // What such a sale had lost before counts from now on, which leaves less of a maximum to the sales after it.
  if (earnedLate) await settleFirstSale(tx, hashKey, customer)
}

/** Rules can pay another amount for a first sale than for a later one; all other terms pay the same or nothing. */
const isAsEarned = ({ terms, reward }: Evaluation<SaleEvent>, commission: Commission | undefined) => {
  const cents = typeof reward === 'string' ? 0 : reward.amountCents
  if (!commission) return cents === 0
  return terms && hasRules(terms) ? commission.amountCents === cents : commission.amountCents > 0 === cents > 0
}

type SaleToCorrect = CustomerAt & {
  sale: Evaluation<SaleEvent>
  commission: Commission | undefined
  day: string | undefined
}

const correctFirstSale = async (
  tx: Tx,
  hashKey: string,
  { programId, clickId, sale, commission, day, at }: SaleToCorrect,
) => {
  const { event, terms, reward } = sale
  const { id: saleId, saleCents: amountCents, items, currency, soldAt, partnerId } = event
  const earns = typeof reward !== 'string'
  if (isAsEarned(sale, commission)) return
  if (day) await markDays(tx, [{ programId, day }])
  if (!commission) {
    await earnLate(tx, hashKey, { programId, saleId, partnerId, clickId, amountCents, items, currency, soldAt, at })
    return
  }
  const { termsVersion, earnedAt, payableAt } = commission
  await correctCommission(tx, {
    programId,
    saleId,
    cause: 'first',
    at,
    ...(terms && hasRules(terms) && { recalculated: recalculated(sale) }),
    because: earns ? 'commission_earned' : reward,
    saleCents: { before: amountCents, after: amountCents },
    after: earns
      ? { amountCents: reward.amountCents, termsVersion: terms?.version ?? termsVersion, earnedAt, payableAt }
      : { amountCents: 0, termsVersion, earnedAt, payableAt },
  })
}
