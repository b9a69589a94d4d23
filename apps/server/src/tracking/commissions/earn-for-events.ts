import { lockCustomersByClick } from '../../customers/customers.ts'
import { countLeadsOfVisitors, lockIfUnverified, paidBefore } from '../../customers/leads.ts'
import type { Tx } from '../../database/transaction.ts'
import type { NewDecision } from '../../explain/decisions.ts'
import { UNTOUCHED } from '../../money/commissions/commission-rules.ts'
import { type CustomerFacts, evaluateCustomer } from '../../money/commissions/evaluate.ts'
import { type LockedTerms, shareLockTerms } from '../../money/rewards/reward-terms.ts'
import { type FirstSale, findFirstSales } from '../../sales/customer-sales.ts'
import { applyDisputes, reverseCommission } from './commission-changes.ts'
import { applyAdjustments } from './credited-commissions.ts'
import { type EarningEvent, earnAll, earns, loadRewardFacts, type RewardFacts } from './earn-commissions.ts'

export type EarningSale = {
  programId: number
  saleId: number
  partnerId: number
  clickId: string
  amountCents: number
  currency: string
  soldAt: Date
  /** Whether only a browser has reported the customer; looked up if omitted. */
  isUnverified?: boolean | undefined
  /** Loaded if omitted. */
  reward?: RewardFacts | undefined
  at: Date
  /** The attribution, if it is decided now. */
  decision?: NewDecision
  /** Other sales of the customer that have earned. Filled in if it can matter. */
  first?: FirstSale | undefined
  /** Filled in. Null if the sale earns nothing. */
  commissionId?: number | null
}

type LoadedSale = EarningSale & { reward: RewardFacts }

/**
 * Creates commissions for credited sales and fills them in, under the reward terms at the time of the sale even if they are credited
 * later.
 */
export const earnForSales = async (
  tx: Tx,
  hashKey: string,
  { sales, lockedTerms }: { sales: EarningSale[]; lockedTerms?: LockedTerms },
) => {
  const unknown = sales.filter(({ reward }) => reward === undefined)
  if (unknown.length > 0) {
    const locked = lockedTerms ?? (await shareLockTerms(tx, programIdsOf(unknown)))
    await loadRewardFacts(tx, hashKey, { lockedTerms: locked, events: unknown })
  }
  const loaded = sales as LoadedSale[]
  // Only if the program's terms depend on it, because the lock makes sales of one customer wait for each other.
  const limited = loaded.filter(({ reward }) => reward.dependsOnFirstSale)
  await lockCustomersByClick(tx, limited)
  await findFirstSales(tx, limited)
  const firstSoldAt = findFirstSaleTimes(loaded)
  const earning: EarningEvent[] = []
  for (const sale of loaded) {
    const { programId, saleId, partnerId, amountCents, currency, soldAt, reward, at, decision } = sale
    const event = { kind: 'sale', amountCents, currency, soldAt, firstSoldAt: firstSoldAt.get(saleId) ?? null } as const
    const isUnverified =
      earns(reward, event) && (sale.isUnverified ?? (await lockIfUnverified(tx, { programId, saleId })))
    const of = { kind: 'sale', saleId } as const
    earning.push({
      programId,
      partnerId,
      of,
      reward,
      event,
      leadsOfVisitor: 0,
      isUnverified,
      earnedAt: soldAt,
      at,
      decision,
    })
  }
  await earnAll(tx, earning)
  for (const [index, { commissionId = null }] of earning.entries())
    (sales[index] as EarningSale).commissionId = commissionId
}

/** Creates the commission of a sale credited late, then applies refunds and disputes from the meantime. */
export const earnLate = async (tx: Tx, hashKey: string, sale: EarningSale) => {
  const { programId, saleId, amountCents, currency, at } = sale
  await earnForSales(tx, hashKey, { sales: [sale] })
  await applyAdjustments(tx, { programId, saleId, at })
  await reverseCommission(tx, { programId, sale: { id: saleId, amountCents, currency }, cause: 'late_credit', at })
  await applyDisputes(tx, { programId, saleId, at })
}

/** The time of the first sale of each sale's customer, which is either recorded already or one of these. By sale ID. */
const findFirstSaleTimes = (sales: LoadedSale[]) => {
  const byCustomer = Map.groupBy(sales, ({ programId, clickId }) => `${programId} ${clickId}`)
  const evaluated = [...byCustomer.values()].flatMap((ofCustomer) => {
    const terms = new Map(ofCustomer.map((sale) => [termsKey(sale), sale.reward.terms]))
    const customer: CustomerFacts = {
      lead: null,
      firstSoldBefore: null,
      sales: ofCustomer.map(({ saleId: id, partnerId, amountCents: saleCents, currency, soldAt, first }) => ({
        ...NEW_SALE,
        id,
        partnerId,
        saleCents,
        currency,
        soldAt,
        firstSoldBefore: first?.firstSoldAt ?? null,
      })),
    }
    return evaluateCustomer(customer, (partnerId, soldAt) => terms.get(termsKey({ partnerId, soldAt })) ?? null).sales
  })
  return new Map(evaluated.map(({ event, firstSoldAt }) => [event.id, firstSoldAt]))
}

const NEW_SALE = {
  kind: 'sale',
  refundedCents: 0,
  openCents: 0,
  lostCents: 0,
  review: 'none',
  manual: UNTOUCHED,
} as const

const termsKey = ({ partnerId, soldAt }: Pick<EarningSale, 'partnerId' | 'soldAt'>) =>
  `${partnerId} ${soldAt.getTime()}`

type EarningLead = {
  programId: number
  leadId: number
  partnerId: number
  clickId: string
  visitorHash: Uint8Array | null
  day: string
  /** An erased customer with the same key already had a lead. */
  isReportedAgain: boolean
  /** Only a browser has reported it. */
  isUnverified: boolean
  settledAt: Date
  at: Date
  reward?: RewardFacts
}

/** Creates commissions for leads that are already settled, under the reward terms at the time of settlement. */
export const earnForLeads = async (tx: Tx, hashKey: string, leads: EarningLead[]) => {
  const lockedTerms = await shareLockTerms(tx, programIdsOf(leads))
  await loadRewardFacts(tx, hashKey, { lockedTerms, events: leads })
  const earning: (EarningEvent & EarningLead)[] = []
  for (const lead of leads as (EarningLead & { reward: RewardFacts })[]) {
    const { leadId, settledAt } = lead
    const rewardedBefore = lead.isReportedAgain && (await paidBefore(tx, lead)).isLeadPaid
    const event = { kind: 'lead', settledAt, ...(rewardedBefore && { rewardedBefore }) } as const
    const of = { kind: 'lead', leadId } as const
    earning.push({ ...lead, of, event, leadsOfVisitor: 0, earnedAt: settledAt })
  }
  await countLeadsOfVisitors(
    tx,
    earning.filter(({ visitorHash, reward, event }) => visitorHash !== null && earns(reward, event)),
  )
  await earnAll(tx, earning)
}

const programIdsOf = (events: { programId: number }[]) => events.map(({ programId }) => programId)
