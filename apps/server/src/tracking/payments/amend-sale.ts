import { lockCustomerByClick } from '../../customers/customers.ts'
import type { Tx } from '../../database/transaction.ts'
import { addDays, dayIn, daysBetween } from '../../events/overview/days.ts'
import { markDays } from '../../events/roll-up/changed-days.ts'
import { findCommissionOfSale, hasMetPayout } from '../../money/commissions/commissions.ts'
import { rewardOf } from '../../money/commissions/decide-commission.ts'
import { changeDisputed } from '../../money/commissions/disputes.ts'
import { changeProcessorRefunds } from '../../money/commissions/refunds.ts'
import { holdTerms, termsAt } from '../../money/rewards/reward-terms.ts'
import { payableAt } from '../../money/rewards/rewards.ts'
import type { Program } from '../../programs/programs.ts'
import type { Sale } from '../../sales/find-sales.ts'
import { changeSale, renameSale } from '../../sales/sales.ts'
import { firstSaleBeside, type SaleOfCustomer } from '../../sales/sales-of-customer.ts'
import { correctCommission } from '../sales/correct-commission.ts'
import { earnLate, factsOfTerms } from '../sales/earn-commission.ts'
import { settleFirstSale } from '../sales/settle-first-sale.ts'
import type { Creditable } from './creditable.ts'

type Amending = {
  sale: Sale
  creditable: Creditable
  /** What of the sale is refunded, if it comes to that. */
  refundsOf: (sale: Sale) => { refundedCents: number; refundIds: string[] }
  /** And what of it is disputed. */
  disputesOf: (sale: Sale) => { disputeId: string; disputedCents: number | null }[]
  at: Date
}

/**
 * What the best informed report says is what the sale was: amount, moment, name. The first to come may have known neither the
 * tax nor the time; nothing of that may show once the others are there.
 */
export const amendSale = async (
  tx: Tx,
  hashKey: string,
  { sale, creditable, refundsOf, disputesOf, at }: Amending,
): Promise<Sale> => {
  const { programId, id: saleId } = sale
  const { paid, attribution, program } = creditable
  // Money in another currency is other money: what the merchant reported stands, and the report is refused.
  if (sale.currency !== paid.currency) return sale
  const named = {
    customerKey: sale.customerKey ?? attribution.customerKey,
    subscriptionId: sale.subscriptionId ?? paid.subscriptionId,
  }
  if (named.customerKey !== sale.customerKey || named.subscriptionId !== sale.subscriptionId)
    await changeSale(tx, { programId, saleId, ...named })
  if (sale.reportedBy === 'processor' && sale.invoiceId !== paid.name)
    await renameSale(tx, { programId, saleId, invoiceId: paid.name })

  const commission = (await findCommissionOfSale(tx, { programId, saleId })) ?? null
  const mayMove = !commission || !(await hasMetPayout(tx, { programId, commissionId: commission.id }))
  const soldAt = mayMove ? paid.soldAt : sale.soldAt
  const isSame = sale.amountCents === paid.netCents && sale.soldAt.getTime() === soldAt.getTime()
  if (isSame) return { ...sale, ...named }

  const day = await movedDay(tx, program, { sale, soldAt })
  const after: Sale = { ...sale, ...named, amountCents: paid.netCents, soldAt, day }
  await changeSale(tx, { programId, saleId, amountCents: after.amountCents, soldAt, day })
  await markDays(tx, [sale, after])
  // The same refund or dispute is another part of another amount: one correction says both.
  await changeProcessorRefunds(tx, { programId, saleId, ...refundsOf(after) })
  for (const dispute of disputesOf(after)) await changeDisputed(tx, { programId, saleId, ...dispute })
  await amendCommission(tx, hashKey, { before: sale, after, isUnpaid: mayMove, at })
  return after
}

const amendCommission = async (
  tx: Tx,
  hashKey: string,
  { before, after: sale, isUnpaid, at }: { before: Sale; after: Sale; isUnpaid: boolean; at: Date },
) => {
  const { programId, id: saleId, partnerId, clickId, amountCents, currency, soldAt } = sale
  const commission = (await findCommissionOfSale(tx, { programId, saleId })) ?? null
  const saleCents = { before: before.amountCents, after: amountCents }
  if (partnerId === null || clickId === null) {
    await correctCommission(tx, { programId, saleId, cause: 'amount', saleCents, commission: null, at })
    return
  }
  await holdTerms(tx, [programId])
  const terms = await termsAt(tx, { programId, partnerId, at: soldAt })
  const { firstSoldAt } = terms?.asksForFirst
    ? await lockFirstSale(tx, { programId, clickId, saleId, soldAt })
    : { firstSoldAt: null }
  const event = { kind: 'sale', amountCents, currency, soldAt, firstSoldAt } as const
  const reward = rewardOf({ terms: terms && factsOfTerms(terms), event })
  const earned = typeof reward === 'string' ? 0 : reward.amountCents
  const after = commission && {
    amountCents: earned,
    termsVersion: terms?.version ?? commission.termsVersion,
    earnedAt: soldAt,
    payableAt: terms ? payableAt(soldAt, terms.holdDays) : commission.payableAt,
  }
  await correctCommission(tx, { programId, saleId, cause: 'amount', saleCents, commission, after, isUnpaid, at })
  if (!commission && typeof reward !== 'string')
    await earnLate(tx, hashKey, { programId, saleId, partnerId, clickId, amountCents, currency, soldAt, at })
  await settleFirstSale(tx, hashKey, { programId, clickId, at })
}

/** By as many days as the moment moves. The day itself may be of a time zone that the program has no more, and stays one of that. */
const movedDay = async (tx: Tx, { timezone }: Program, { sale, soldAt }: { sale: Sale; soldAt: Date }) => {
  const [from, to] = [await dayIn(tx, timezone, sale.soldAt), await dayIn(tx, timezone, soldAt)]
  return from === to ? sale.day : addDays(sale.day, daysBetween(from, to))
}

/** Holds the customer, so that of two sales at once not both are the first. */
const lockFirstSale = async (tx: Tx, sale: SaleOfCustomer) => {
  await lockCustomerByClick(tx, sale)
  return firstSaleBeside(tx, sale)
}
