import { lockCustomerByClick } from '../customers/customers.ts'
import { paidBefore } from '../customers/leads.ts'
import type { Tx } from '../database/transaction.ts'
import { markDays } from '../events/changed-days.ts'
import { findCommissionOfSale } from '../money/commissions.ts'
import { rewardOf } from '../money/decide-commission.ts'
import { holdTerms, paysFirstSales, type StoredTerms, termsAt } from '../money/reward-terms.ts'
import type { NoReward, Reward } from '../money/rewards.ts'
import { type CreditedSale, lockSalesOfCustomer } from '../sales/sales-of-customer.ts'
import { correctCommission } from './correct-commission.ts'
import { factsOfTerms } from './earn-commission.ts'
import { earnLate } from './earn-late.ts'

type Settling = { programId: number; clickId: string; at: Date }

/**
 * Which sale of a customer was the first is a matter of when they were made, not of when they were told. Called once that may
 * have changed: a sale was told late or credited late, moved, or turned out to be part of another.
 */
export const settleFirstSale = async (tx: Tx, hashKey: string, { programId, clickId, at }: Settling) => {
  await holdTerms(tx, programId)
  if (!(await paysFirstSales(tx, programId))) return
  await lockCustomerByClick(tx, { programId, clickId })
  let { firstSoldAt } = await paidBefore(tx, { programId, clickId })
  for (const sale of await lockSalesOfCustomer(tx, { programId, clickId })) {
    const { amountCents, currency, soldAt, partnerId, firstSoldBefore } = sale
    const terms = await termsAt(tx, { programId, partnerId, at: soldAt })
    const rewardIf = (first: Date | null) =>
      rewardOf({
        terms: terms && factsOfTerms(terms),
        event: { kind: 'sale', amountCents, currency, soldAt, firstSoldAt: first },
      })
    // A sale that earns nothing in any case does not use up what the first one earns.
    if (!terms || typeof rewardIf(null) === 'string') continue
    const reward = rewardIf(earlierOf(firstSoldAt, firstSoldBefore))
    await bringTo(tx, hashKey, { programId, clickId, sale, terms, reward, at })
    if (typeof reward !== 'string') firstSoldAt ??= soldAt
  }
}

const earlierOf = (a: Date | null, b: Date | null) => (a && b ? (a < b ? a : b) : (a ?? b))

type Bringing = Settling & { sale: CreditedSale; terms: StoredTerms; reward: Reward | NoReward }

const bringTo = async (tx: Tx, hashKey: string, { programId, clickId, sale, terms, reward, at }: Bringing) => {
  const { id: saleId, amountCents, currency, soldAt, day, partnerId } = sale
  const commission = await findCommissionOfSale(tx, { programId, saleId })
  const earns = typeof reward !== 'string'
  if (commission ? commission.amountCents > 0 === earns : !earns || partnerId === null) return
  await markDays(tx, [{ programId, day }])
  if (!commission) {
    if (partnerId !== null)
      await earnLate(tx, hashKey, { programId, saleId, partnerId, clickId, amountCents, currency, soldAt, at })
    return
  }
  await correctCommission(tx, {
    ...{ programId, saleId, cause: 'first', commission, at },
    because: earns ? 'commission_earned' : reward,
    saleCents: { before: amountCents, after: amountCents },
    after: earns
      ? { ...commission, amountCents: reward.amountCents, termsVersion: terms.version }
      : { ...commission, amountCents: 0 },
  })
}
