import type { Recorder } from '../../clock.ts'
import { lockCustomerByClick } from '../../customers/customers.ts'
import type { Tx } from '../../database/transaction.ts'
import { addDays, dayIn, daysBetween } from '../../events/overview/days.ts'
import { markDays, markRefundedSale } from '../../events/roll-up/changed-days.ts'
import { findCommissionOfSale } from '../../money/commissions/commissions.ts'
import { closeDispute, openDispute, updateDisputedCents } from '../../money/commissions/disputes.ts'
import { findRefundedCents, saveProcessorRefunds, updateProcessorRefunds } from '../../money/commissions/refunds.ts'
import { shareLockTerms, termsAt } from '../../money/rewards/reward-terms.ts'
import { computeReward, hasRules, netRefundCents, payableAt } from '../../money/rewards/rewards.ts'
import type { PaymentState } from '../../payments/fold-reports.ts'
import type { Program } from '../../programs/programs.ts'
import { findFirstSale } from '../../sales/customer-sales.ts'
import type { Sale } from '../../sales/find-sales.ts'
import { changeSale, keepCountries, renameSale } from '../../sales/sales.ts'
import {
  applyDispute,
  applyDisputes,
  correctCommission,
  earnLate,
  reverseCommission,
} from '../commissions/commission-changes.ts'
import { evaluateCustomers, recalculated } from '../commissions/evaluate-customers.ts'
import { settleFirstSale } from '../commissions/settle-first-sale.ts'
import { creditUncreditedSale } from '../sales/credit-uncredited-sale.ts'
import { type CreditablePayment, hasItemsOf, itemsFor } from './plan-sale.ts'

type Update = {
  sale: Sale
  /** A payout includes its commission, so the time of the sale is final. */
  isInPayout: boolean
  state: PaymentState
  payment: CreditablePayment | null
}

/** Updates a sale to match its payment: invoice ID, customer key, amount, time, credit, refunds and disputes. */
export const updateSale = async (tx: Tx, recorder: Recorder, update: Update): Promise<Sale> => {
  const { state, payment } = update
  const { clock, hashKey } = recorder
  const at = clock()
  let { sale } = update
  // A payment without a customer does not change the sale that the merchant reported.
  if (payment && payment.program.id === sale.programId && payment.paid.currency === sale.currency)
    sale = await amendSale(tx, hashKey, { ...update, payment, at })
  if (payment && payment.program.id === sale.programId)
    sale = await creditUncreditedSale(tx, recorder, { sale, ...payment, at })
  await updateRefunds(tx, { sale, ...computeRefunds(sale, state), at })
  for (const dispute of computeDisputes(sale, state)) await updateDispute(tx, { sale, ...dispute, at })
  return sale
}

/** If no report states the gross amount, the merchant's amount is used. */
const computeRefunds = ({ amountCents, grossCents }: Sale, { paid, refundedGrossCents, refundIds }: PaymentState) => ({
  refundedCents: netRefundCents(amountCents, refundedGrossCents, paid?.grossCents ?? grossCents ?? amountCents),
  refundIds,
})

const computeDisputes = ({ amountCents, grossCents: ownGrossCents }: Sale, { paid, disputes }: PaymentState) =>
  disputes.map(({ disputeId, state: status, grossCents }) => ({
    disputeId,
    status,
    disputedCents:
      grossCents === null
        ? null
        : netRefundCents(amountCents, grossCents, paid?.grossCents ?? ownGrossCents ?? amountCents),
  }))

type Amendment = Update & { payment: CreditablePayment; at: Date }

/** Later reports can be more precise: the first one may not have known the tax or the exact time. */
const amendSale = async (tx: Tx, hashKey: string, amendment: Amendment): Promise<Sale> => {
  const { sale, isInPayout, state, payment, at } = amendment
  const { paid, attribution, program } = payment
  const { programId, id: saleId } = sale
  const named = {
    customerKey: sale.customerKey ?? attribution.customerKey,
    subscriptionId: sale.subscriptionId ?? paid.subscriptionId,
  }
  if (named.customerKey !== sale.customerKey || named.subscriptionId !== sale.subscriptionId)
    await changeSale(tx, { programId, saleId, ...named, at })
  if (sale.reportedBy === 'processor' && sale.invoiceId !== paid.invoiceId)
    await renameSale(tx, { programId, saleId, invoiceId: paid.invoiceId, at })

  const soldAt = isInPayout ? sale.soldAt : paid.soldAt
  const isSame =
    sale.amountCents === paid.netCents && sale.soldAt.getTime() === soldAt.getTime() && hasItemsOf(sale, paid)
  if (isSame) return { ...sale, ...named }
  const day = await shiftDay(tx, program, { sale, soldAt })
  const items = itemsFor(sale, paid)
  const after: Sale = { ...sale, ...named, amountCents: paid.netCents, items, soldAt, day }
  await changeSale(tx, { programId, saleId, amountCents: after.amountCents, ...(items && { items }), soldAt, day, at })
  await markDays(tx, [sale, after])
  // The refunded and disputed shares change with the amount; update them first, so that one correction covers everything.
  await updateProcessorRefunds(tx, { programId, saleId, ...computeRefunds(after, state), at })
  for (const dispute of computeDisputes(after, state))
    await updateDisputedCents(tx, { programId, saleId, ...dispute, at })
  await recalculateCommission(tx, hashKey, {
    sale: after,
    saleCents: { before: sale.amountCents, after: paid.netCents },
    at,
  })
  return after
}

/** Shifts the stored day instead of recomputing it, because the program's time zone may have changed since. */
const shiftDay = async (tx: Tx, { timezone }: Program, { sale, soldAt }: { sale: Sale; soldAt: Date }) => {
  const [from, to] = [await dayIn(tx, timezone, sale.soldAt), await dayIn(tx, timezone, soldAt)]
  return from === to ? sale.day : addDays(sale.day, daysBetween(from, to))
}

type ChangedAmount = { sale: Sale; saleCents: { before: number; after: number }; at: Date }

/** Recalculates the commission for the new amount and time. */
const recalculateCommission = async (tx: Tx, hashKey: string, { sale, saleCents, at }: ChangedAmount) => {
  const { programId, id: saleId, partnerId, clickId, amountCents, items, currency, soldAt } = sale
  const correction = { programId, saleId, cause: 'amount', saleCents, at } as const
  if (partnerId === null || clickId === null) return correctCommission(tx, correction)
  await shareLockTerms(tx, [programId])
  const terms = await termsAt(tx, { programId, partnerId, at: soldAt })
  const byRules = terms && hasRules(terms) ? await evaluateByRules(tx, { programId, clickId, saleId }) : null
  const reward = byRules
    ? byRules.reward
    : computeReward({
        terms,
        event: {
          kind: 'sale',
          amountCents,
          currency,
          soldAt,
          firstSoldAt: terms?.dependsOnFirstSale
            ? await lockFirstSale(tx, { programId, clickId, saleId, soldAt })
            : null,
        },
      })
  const earns = typeof reward !== 'string'
  const commission = await findCommissionOfSale(tx, { programId, saleId })
  const after = commission && {
    amountCents: earns ? reward.amountCents : 0,
    termsVersion: terms?.version ?? commission.termsVersion,
    earnedAt: soldAt,
    payableAt: terms ? payableAt(soldAt, terms.holdDays) : commission.payableAt,
  }
  await correctCommission(tx, { ...correction, ...(byRules && { recalculated: recalculated(byRules) }), after })
  if (!commission && earns)
    await earnLate(tx, hashKey, { programId, saleId, partnerId, clickId, amountCents, items, currency, soldAt, at })
  await settleFirstSale(tx, hashKey, { programId, clickId, at })
}

/** The customer's other sales decide too. */
const evaluateByRules = async (
  tx: Tx,
  { programId, clickId, saleId }: { programId: number; clickId: string; saleId: number },
) => {
  await lockCustomerByClick(tx, { programId, clickId })
  await keepCountries(tx, [{ programId, saleId }])
  const sales = await evaluateCustomers(tx, { programId, clickIds: [clickId] })
  return sales.find(({ event }) => event.id === saleId) ?? null
}

/** Locks the customer, so that two concurrent sales cannot both be the first. */
const lockFirstSale = async (tx: Tx, sale: Parameters<typeof findFirstSale>[1]) => {
  await lockCustomerByClick(tx, sale)
  return (await findFirstSale(tx, sale))?.firstSoldAt ?? null
}

type Refunds = { sale: Sale; refundedCents: number; refundIds: string[]; at: Date }

/** The refunded total can go down, because refunds can fail. */
const updateRefunds = async (tx: Tx, { sale, refundedCents, refundIds, at }: Refunds) => {
  const { programId, id: saleId, amountCents } = sale
  const before = await findRefundedCents(tx, { programId, saleId })
  if (!(await saveProcessorRefunds(tx, { programId, saleId, refundedCents, refundIds, at }))) return
  await markRefundedSale(tx, { programId, saleId })
  const after = await findRefundedCents(tx, { programId, saleId })
  const saleCents = { before: amountCents, after: amountCents }
  if (after > before) await reverseCommission(tx, { programId, sale, cause: 'processor', at })
  if (after < before) await correctCommission(tx, { programId, saleId, cause: 'refund', saleCents, at })
}

type Dispute = ReturnType<typeof computeDisputes>[number] & { sale: Pick<Sale, 'programId' | 'id'>; at: Date }

/**
 * An open dispute holds the commission, a won dispute releases it and a lost one reverses it. If the closing arrives first, the
 * dispute is opened anyway, so that the ledger shows both steps.
 */
export const updateDispute = async (tx: Tx, { sale, disputeId, status, disputedCents, at }: Dispute) => {
  const key = { programId: sale.programId, saleId: sale.id, disputeId }
  if (await openDispute(tx, { ...key, disputedCents, openedAt: at }))
    await applyDispute(tx, { ...key, status: 'open', at })
  else if (await updateDisputedCents(tx, { ...key, disputedCents, at })) await applyDisputes(tx, { ...key, at })
  if (status !== 'open' && (await closeDispute(tx, { ...key, status, closedAt: at })))
    await applyDispute(tx, { ...key, status, at })
  else if (status === 'open') return
  await markRefundedSale(tx, key)
}
