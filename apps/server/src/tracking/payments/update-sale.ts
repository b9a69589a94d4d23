import { attributeSale } from '../../attribution/attribute-sale.ts'
import { lockCustomerByClick, markAsBuyer } from '../../customers/customers.ts'
import type { Tx } from '../../database/transaction.ts'
import { addDays, dayIn, daysBetween } from '../../events/overview/days.ts'
import { markDays } from '../../events/roll-up/changed-days.ts'
import { keepDecision } from '../../explain/decisions.ts'
import { findCommissionOfSale } from '../../money/commissions/commissions.ts'
import { rewardOf } from '../../money/commissions/decide-commission.ts'
import { changeDisputed, closeDispute, openDispute } from '../../money/commissions/disputes.ts'
import { changeProcessorRefunds, keepProcessorRefunds, refundedCentsOf } from '../../money/commissions/refunds.ts'
import { holdTerms, termsAt } from '../../money/rewards/reward-terms.ts'
import { payableAt, refundedShare } from '../../money/rewards/rewards.ts'
import type { PaymentState } from '../../payments/fold-reports.ts'
import type { Program } from '../../programs/programs.ts'
import { findFirstSale } from '../../sales/customer-sales.ts'
import type { Sale } from '../../sales/find-sales.ts'
import { changeSale, changeUncreditedReason, creditSale, renameSale } from '../../sales/sales.ts'
import type { Recorder } from '../recorder.ts'
import { applyDispute, applyDisputes, correctCommission, reverseCommission } from '../sales/commission-changes.ts'
import { decideCredit, loadFactsForSale } from '../sales/create-sales.ts'
import { earnLate } from '../sales/earn-commission.ts'
import { settleFirstSale } from '../sales/settle-first-sale.ts'
import type { CreditablePayment } from './plan-sale.ts'

type Update = {
  sale: Sale
  /** A payout contains its commission, so its moment no longer moves. */
  isPaid: boolean
  state: PaymentState
  payment: CreditablePayment | null
}

/** Brings the sale of a payment to everything that its reports say: names, amount, moment, credit, refunds, disputes. */
export const updateSale = async (tx: Tx, { clock, hashKey }: Recorder, update: Update): Promise<Sale> => {
  const { state, payment } = update
  const at = clock()
  let { sale } = update
  // A payment that does not say whom to credit leaves the merchant's sale as the merchant reported it.
  if (payment && payment.program.id === sale.programId && payment.paid.currency === sale.currency)
    sale = await amendSale(tx, hashKey, { ...update, payment, at })
  if (payment && payment.program.id === sale.programId) sale = await creditSaleOf(tx, hashKey, { sale, payment, at })
  await updateRefunds(tx, { sale, ...refundsOf(sale, state), at })
  for (const dispute of disputesOf(sale, state)) await updateDispute(tx, { sale, ...dispute, at })
  return sale
}

/** What of a sale is refunded. Where no report says what the customer paid, it is taken as what the merchant reported. */
const refundsOf = ({ amountCents }: Sale, { paid, refundedGrossCents, refundIds }: PaymentState) => ({
  refundedCents: refundedShare(amountCents, refundedGrossCents, paid?.grossCents ?? amountCents),
  refundIds,
})

const disputesOf = ({ amountCents }: Sale, { paid, disputes }: PaymentState) =>
  disputes.map(({ disputeId, state: status, grossCents }) => ({
    disputeId,
    status,
    disputedCents: grossCents === null ? null : refundedShare(amountCents, grossCents, paid?.grossCents ?? amountCents),
  }))

type Amendment = Update & { payment: CreditablePayment; at: Date }

/** The best informed report decides: the first one may have known neither the tax nor the exact time. */
const amendSale = async (tx: Tx, hashKey: string, amendment: Amendment): Promise<Sale> => {
  const { sale, isPaid, state, payment, at } = amendment
  const { paid, attribution, program } = payment
  const { programId, id: saleId } = sale
  const named = {
    customerKey: sale.customerKey ?? attribution.customerKey,
    subscriptionId: sale.subscriptionId ?? paid.subscriptionId,
  }
  if (named.customerKey !== sale.customerKey || named.subscriptionId !== sale.subscriptionId)
    await changeSale(tx, { programId, saleId, ...named })
  if (sale.reportedBy === 'processor' && sale.invoiceId !== paid.name)
    await renameSale(tx, { programId, saleId, invoiceId: paid.name })

  const soldAt = isPaid ? sale.soldAt : paid.soldAt
  const isSame = sale.amountCents === paid.netCents && sale.soldAt.getTime() === soldAt.getTime()
  if (isSame) return { ...sale, ...named }
  const day = await movedDay(tx, program, { sale, soldAt })
  const after: Sale = { ...sale, ...named, amountCents: paid.netCents, soldAt, day }
  await changeSale(tx, { programId, saleId, amountCents: after.amountCents, soldAt, day })
  await markDays(tx, [sale, after])
  // The same refund or dispute is another part of another amount: one correction covers both.
  await changeProcessorRefunds(tx, { programId, saleId, ...refundsOf(after, state) })
  for (const dispute of disputesOf(after, state)) await changeDisputed(tx, { programId, saleId, ...dispute })
  await correctEarning(tx, hashKey, { sale: after, saleCents: { before: sale.amountCents, after: paid.netCents }, at })
  return after
}

/** Moves the stored day by as many days as the moment moves: the program may have changed its time zone since. */
const movedDay = async (tx: Tx, { timezone }: Program, { sale, soldAt }: { sale: Sale; soldAt: Date }) => {
  const [from, to] = [await dayIn(tx, timezone, sale.soldAt), await dayIn(tx, timezone, soldAt)]
  return from === to ? sale.day : addDays(sale.day, daysBetween(from, to))
}

type ChangedAmount = { sale: Sale; saleCents: { before: number; after: number }; at: Date }

/** What the sale earns by its new amount and moment. */
const correctEarning = async (tx: Tx, hashKey: string, { sale, saleCents, at }: ChangedAmount) => {
  const { programId, id: saleId, partnerId, clickId, amountCents, currency, soldAt } = sale
  const correction = { programId, saleId, cause: 'amount', saleCents, at } as const
  if (partnerId === null || clickId === null) return correctCommission(tx, correction)
  await holdTerms(tx, [programId])
  const terms = await termsAt(tx, { programId, partnerId, at: soldAt })
  const firstSoldAt = terms?.asksForFirst ? await lockFirstSale(tx, { programId, clickId, saleId, soldAt }) : null
  const reward = rewardOf({ terms, event: { kind: 'sale', amountCents, currency, soldAt, firstSoldAt } })
  const earns = typeof reward !== 'string'
  const commission = await findCommissionOfSale(tx, { programId, saleId })
  const after = commission && {
    amountCents: earns ? reward.amountCents : 0,
    termsVersion: terms?.version ?? commission.termsVersion,
    earnedAt: soldAt,
    payableAt: terms ? payableAt(soldAt, terms.holdDays) : commission.payableAt,
  }
  await correctCommission(tx, { ...correction, after })
  if (!commission && earns)
    await earnLate(tx, hashKey, { programId, saleId, partnerId, clickId, amountCents, currency, soldAt, at })
  await settleFirstSale(tx, hashKey, { programId, clickId, at })
}

/** Locks the customer, so that two concurrent sales are not both the first. */
const lockFirstSale = async (tx: Tx, sale: Parameters<typeof findFirstSale>[1]) => {
  await lockCustomerByClick(tx, sale)
  return (await findFirstSale(tx, sale)).firstSoldAt
}

type Crediting = { sale: Sale; payment: CreditablePayment; at: Date }

/** Credits an uncredited sale, once its payment says whom to credit. */
const creditSaleOf = async (
  tx: Tx,
  hashKey: string,
  { sale, payment: { program, attribution }, at }: Crediting,
): Promise<Sale> => {
  const { programId, id: saleId, amountCents, currency, soldAt, day } = sale
  if (sale.clickId !== null) return sale
  const { customer, facts } = await loadFactsForSale(tx, { program, ...attribution, soldAt })
  const result = attributeSale(facts)
  const credit = decideCredit(result, customer)
  const isKnown = 'reason' in credit && (credit.reason === sale.reason || sale.reportedBy === 'merchant')
  if (isKnown) return sale
  const decision = { subject: 'sale', subjectId: saleId, of: { saleId }, rule: 'sale' } as const
  await keepDecision(tx, { programId, ...decision, facts, result, at })
  if ('reason' in credit) {
    await changeUncreditedReason(tx, { programId, saleId, reason: credit.reason })
    return { ...sale, reason: credit.reason }
  }
  await creditSale(tx, { programId, saleId, ...credit, creditedAt: at })
  await markDays(tx, [{ programId, day }])
  await markAsBuyer(tx, { programId, clickId: credit.clickId })
  await earnLate(tx, hashKey, { programId, saleId, ...credit, amountCents, currency, soldAt, at })
  await settleFirstSale(tx, hashKey, { programId, clickId: credit.clickId, at })
  return { ...sale, ...credit, reason: null }
}

type Refunds = { sale: Sale; refundedCents: number; refundIds: string[]; at: Date }

/** The processor's total may be less than before, for refunds fail. */
const updateRefunds = async (tx: Tx, { sale, refundedCents, refundIds, at }: Refunds) => {
  const { programId, id: saleId, amountCents } = sale
  const before = await refundedCentsOf(tx, { programId, saleId })
  if (!(await keepProcessorRefunds(tx, { programId, saleId, refundedCents, refundIds }))) return
  const after = await refundedCentsOf(tx, { programId, saleId })
  const saleCents = { before: amountCents, after: amountCents }
  if (after > before) await reverseCommission(tx, { programId, sale, cause: 'processor', at })
  if (after < before) await correctCommission(tx, { programId, saleId, cause: 'refund', saleCents, at })
}

type Dispute = ReturnType<typeof disputesOf>[number] & { sale: Pick<Sale, 'programId' | 'id'>; at: Date }

/**
 * A disputed payment holds its commission; a dispute that is won gives it back to the cent, one that is lost takes it back. A dispute
 * whose closing is reported first is opened all the same, so that the ledger shows both.
 */
export const updateDispute = async (tx: Tx, { sale, disputeId, status, disputedCents, at }: Dispute) => {
  const key = { programId: sale.programId, saleId: sale.id, disputeId }
  if (await openDispute(tx, { ...key, disputedCents, openedAt: at }))
    await applyDispute(tx, { ...key, status: 'open', at })
  else if (await changeDisputed(tx, { ...key, disputedCents })) await applyDisputes(tx, { ...key, at })
  if (status !== 'open' && (await closeDispute(tx, { ...key, status, closedAt: at })))
    await applyDispute(tx, { ...key, status, at })
}
