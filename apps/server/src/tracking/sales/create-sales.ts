import type { UncreditedReason } from '@tributary/contract'
import { attributeSale, type SaleAttribution } from '../../attribution/attribute-sale.ts'
import { type Customer, markBuyersWritten } from '../../customers/customers.ts'
import { erasedKeyHash } from '../../customers/erased-customers.ts'
import type { Tx } from '../../database/transaction.ts'
import { markDaysWritten } from '../../events/roll-up/changed-days.ts'
import { type NewDecision, storeDecisions } from '../../explain/decisions.ts'
import { type LockedTerms, shareLockTerms } from '../../money/rewards/reward-terms.ts'
import { type Credit, insertSales, isUncredited, type NewSale, type SaleOutcome } from '../../sales/sales.ts'
import { type EarningSale, earnForSales } from '../commissions/earn-commissions.ts'
import { settleFirstSale } from '../commissions/settle-first-sale.ts'
import { type LoadedSale, loadSaleFacts } from './load-sale-facts.ts'
import { hashSaleRequest, type SaleCall } from './sale-call.ts'

export type RecordedSale = { saleId: number; reason: UncreditedReason | null; commissionId: number | null }

/** A sale to record. `recorded` is filled in, unless its invoice ID is already taken. */
export type ReportedSale = SaleCall & {
  reportedBy: 'merchant' | 'processor'
  soldAt: Date
  at: Date
  recorded?: RecordedSale
}

type AttributedSale = ReportedSale & LoadedSale & { result: SaleAttribution; credit: SaleOutcome }
type StoredSale = AttributedSale & { saleId: number }

/**
 * Attributes and stores sales and creates their commissions. Locks the reward terms, unless the caller has.
 */
export const createSales = async (tx: Tx, hashKey: string, sales: ReportedSale[], locked?: LockedTerms) => {
  const lockedTerms =
    locked ??
    (await shareLockTerms(
      tx,
      sales.map(({ program }) => program.id),
    ))
  const attributed = (await loadSaleFacts(tx, hashKey, { sales, lockedTerms })).map((sale): AttributedSale => {
    const result = attributeSale(sale.facts)
    return Object.assign(sale, { result, credit: toCredit(result, sale.customer) })
  })
  const stored = await storeSales(tx, hashKey, attributed)
  await storeDecisions(tx, stored.filter(({ credit }) => isUncredited(credit)).map(saleDecision))
  const earning = stored.flatMap((sale) => (isUncredited(sale.credit) ? [] : [toEarningSale(sale, sale.credit)]))
  if (earning.length > 0) await earnForSales(tx, hashKey, { sales: earning, lockedTerms })
  for (const { sale, programId, clickId, soldAt, at, first, commissionId = null } of earning) {
    sale.recorded = { saleId: sale.saleId, reason: null, commissionId }
    // A sale reported late or out of order may predate one that earned as the customer's first.
    if (soldAt < at || first?.hasLater) await settleFirstSale(tx, hashKey, { programId, clickId, at })
  }
}

/** Returns the sales whose invoice ID was free. */
const storeSales = async (tx: Tx, hashKey: string, sales: AttributedSale[]): Promise<StoredSale[]> => {
  const rows = sales.map((sale): NewSale & { sale: AttributedSale } => ({ sale, ...toNewSale(hashKey, sale) }))
  await insertSales(tx, rows, {
    at: sales[0]?.at ?? new Date(0),
    parts: { marked: markDaysWritten, ...(sales.some(isFirstSale) && { bought: markBuyersWritten }) },
  })
  return rows.flatMap(({ sale, saleId }) => {
    if (saleId === undefined) return []
    sale.recorded = { saleId, reason: isUncredited(sale.credit) ? sale.credit.reason : null, commissionId: null }
    return [Object.assign(sale, { saleId })]
  })
}

const isFirstSale = ({ customer, credit }: AttributedSale) =>
  !isUncredited(credit) && customer?.customerStatus !== 'customer'

const toNewSale = (hashKey: string, sale: AttributedSale): NewSale => {
  const { program, invoiceId, customerKey, amountCents, currency, eventName, subscriptionId, metadata } = sale
  const { soldAt, reportedBy, credit: outcome } = sale
  const programId = program.id
  const key = customerKey === null ? null : erasedKeyHash(hashKey, { programId, customerKey })
  return {
    programId,
    invoiceId,
    customerKey,
    amountCents,
    currency,
    eventName,
    subscriptionId,
    metadata,
    soldAt,
    reportedBy,
    timezone: program.timezone,
    requestHash: hashSaleRequest(sale),
    erasedKeyHash: key,
    outcome,
  }
}

const saleDecision = ({ program, saleId, facts, result, at }: StoredSale): NewDecision => ({
  programId: program.id,
  subject: 'sale',
  subjectId: saleId,
  of: { saleId },
  rule: 'sale',
  facts,
  result,
  at,
})

const toEarningSale = (sale: StoredSale, credit: Credit): EarningSale & { sale: StoredSale } => {
  const { program, saleId, customer, amountCents, currency, soldAt, isUnverified, at } = sale
  return {
    sale,
    programId: program.id,
    saleId,
    clickId: credit.clickId,
    partnerId: credit.partnerId,
    amountCents,
    currency,
    soldAt,
    isUnverified,
    // A late report can be credited to an earlier partner of the customer.
    reward: credit.partnerId === customer?.partnerId ? sale.reward : undefined,
    at,
    decision: saleDecision(sale),
  }
}

export const toCredit = ({ winner, reason }: SaleAttribution, customer: Customer | undefined): SaleOutcome => {
  if (!winner) return { reason }
  if (!customer) throw new Error('The sale has a winning click but no customer')
  return { clickId: customer.clickId, linkId: winner.linkId, partnerId: winner.partnerId }
}
