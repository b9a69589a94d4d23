import { attributeSale, creditedFor, type SaleAttribution, type SaleFacts } from '../../attribution/attribution.ts'
import { evidenceOfSale, suspicionsOf } from '../../attribution/evidence.ts'
import { type Customer, markAsBuyer, toCustomerRecord } from '../../customers/customers.ts'
import type { Tx } from '../../database/transaction.ts'
import { findClicksOfRecords } from '../../events/clicks-of-record.ts'
import { markDays } from '../../events/roll-up/changed-days.ts'
import { storeDecisions } from '../../explain/decisions.ts'
import { findAssignedSales } from '../../money/adjustments/adjustments.ts'
import { findRefundedOrDisputed, saleKey } from '../../money/commissions/refunds.ts'
import { changeReasonsOfSales } from '../../payments/payment-reports.ts'
import { type Program, settingsAt } from '../../programs/programs.ts'
import { hasCreditedSale, type WaitingSale } from '../../sales/customer-sales.ts'
import { changeUncreditedReason, creditSales } from '../../sales/sales.ts'
import { applyDisputes, reverseCommission } from '../commissions/commission-changes.ts'
import { applyAdjustments } from '../commissions/credited-commissions.ts'
import { earnForSales } from '../commissions/earn-commissions.ts'
import { settleFirstSale } from '../commissions/settle-first-sale.ts'

type CreditTarget = {
  program: Program
  /** The customer to credit. */
  clickId: string
  /** The record whose clicks count. Differs from the customer's only for a second customer from the same click. */
  clicksOf: Customer
  at: Date
}

const BATCH_SIZE = 1_000

/**
 * Credits sales that arrived before their lead, each to the click that would have won at the time of the sale. Sales made before
 * the first click stay uncredited.
 */
export const creditWaitingSales = async (tx: Tx, hashKey: string, target: CreditTarget, sales: WaitingSale[]) => {
  const { program, clickId, at } = target
  const programId = program.id
  let credited = 0
  for (let from = 0; from < sales.length; from += BATCH_SIZE)
    credited += await creditBatch(tx, hashKey, target, sales.slice(from, from + BATCH_SIZE))
  if (credited > 0) await settleFirstSale(tx, hashKey, { programId, clickId, at })
  if (credited > 0 || (await hasCreditedSale(tx, { programId, clickId }))) await markAsBuyer(tx, { programId, clickId })
}

type AttributedSale = { sale: WaitingSale; facts: SaleFacts; result: SaleAttribution }

const creditBatch = async (tx: Tx, hashKey: string, target: CreditTarget, waiting: WaitingSale[]): Promise<number> => {
  const { program, clickId, at } = target
  const programId = program.id
  const attributed = await attributeLateSales(tx, target, waiting)
  await storeDecisions(
    tx,
    attributed.map(({ sale: { id: saleId }, facts, result }) => ({
      programId,
      subject: 'sale' as const,
      subjectId: saleId,
      of: { saleId },
      rule: 'sale' as const,
      facts,
      result,
      at,
    })),
  )
  // Merchant-reported sales keep the reason already returned to the merchant; processor payments get the reason that applies now.
  const uncredited = attributed.filter(({ sale, result }) => !result.winner && sale.reportedBy !== 'merchant')
  const saleIds = uncredited.map(({ sale }) => sale.id)
  await changeUncreditedReason(tx, { programId, saleIds, reason: 'no_click_before_sale', at })
  // Always verified: a browser lead never credits sales made before it.
  const credits = attributed.flatMap(({ sale, facts, result: { winner } }) =>
    winner
      ? [
          {
            ...sale,
            programId,
            saleId: sale.id,
            clickId,
            ...creditedFor(winner),
            partnerId: winner.partnerId,
            creditedAt: at,
            isUnverified: false,
            evidence: evidenceOfSale({ ...facts, winner }),
            at,
          },
        ]
      : [],
  )
  await changeReasonsOfSales(tx, [
    ...uncredited.map(({ sale, result }) => reasonChange(programId, sale, result.reason)),
    ...credits.map((sale) => reasonChange(programId, sale, 'payment_recorded')),
  ])
  if (credits.length === 0) return 0
  await creditSales(tx, credits)
  const sales = credits.map(({ evidence, ...sale }) => ({ ...sale, evidence: suspicionsOf(program, evidence) }))
  await earnForSales(tx, hashKey, { sales })
  await markDays(tx, credits)
  const assigned = await findAssignedSales(tx, { programId, saleIds: credits.map(({ saleId }) => saleId) })
  for (const saleId of assigned) await applyAdjustments(tx, { programId, saleId, at })
  await applyRefundsAndDisputes(tx, { programId, credits, at })
  return credits.length
}

const reasonChange = (
  programId: number,
  { invoiceId, reason }: WaitingSale,
  after: SaleAttribution['reason'] | 'payment_recorded',
) => ({
  programId,
  reference: invoiceId,
  before: reason ?? '',
  after,
})

type CreditedSale = { programId: number; id: number; amountCents: number; currency: string }

/** Sales may have been refunded or disputed while they waited. */
const applyRefundsAndDisputes = async (
  tx: Tx,
  { programId, credits, at }: { programId: number; credits: CreditedSale[]; at: Date },
) => {
  const affected = await findRefundedOrDisputed(tx, credits)
  for (const sale of credits.filter((sale) => affected.has(saleKey(sale)))) {
    await reverseCommission(tx, { programId, sale, cause: 'late_credit', at })
    await applyDisputes(tx, { programId, saleId: sale.id, at })
  }
}

const attributeLateSales = async (
  tx: Tx,
  { program, clicksOf }: CreditTarget,
  sales: WaitingSale[],
): Promise<AttributedSale[]> => {
  const seen = sales.map((sale) => ({
    sale,
    programId: program.id,
    record: clicksOf,
    at: sale.soldAt,
    clicks: [] as SaleFacts['clicks'],
  }))
  await findClicksOfRecords(tx, seen)
  return seen.map(({ sale, clicks }) => {
    const facts: SaleFacts = {
      when: 'late',
      soldAt: sale.soldAt,
      ...settingsAt(program, sale.soldAt),
      customer: 'known',
      click: 'absent',
      record: { ...toCustomerRecord(clicksOf), isSettled: true },
      clicks,
    }
    return { sale, facts, result: attributeSale(facts) }
  })
}
