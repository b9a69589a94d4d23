import { lockCustomersByClick } from '../../customers/customers.ts'
import { countLeadsOfVisitors, holdUnverifiedLead, paidBefore } from '../../customers/leads.ts'
import { forSome } from '../../database/sql/many.ts'
import type { Tx } from '../../database/transaction.ts'
import { insertDecisions, keepDecisions, type NewDecision } from '../../explain/decisions.ts'
import {
  type CommissionDecision,
  type CommissionFacts,
  decideCommission,
  reviewReasons,
  rewardOf,
} from '../../money/commissions/decide-commission.ts'
import { earn } from '../../money/commissions/earn.ts'
import { type CustomerFacts, evaluateCustomer } from '../../money/commissions/evaluate.ts'
import { type HeldTerms, holdTerms, type StoredTerms } from '../../money/rewards/reward-terms.ts'
import type { NoReward, Terms } from '../../money/rewards/rewards.ts'
import { firstSalesBeside } from '../../sales/sales-of-customer.ts'
import { followDisputes, reverseFor } from './commission-changes.ts'
import { loadRewardFacts, type RewardFacts } from './reward-facts.ts'

/** What an event earned: a commission, or a reason why none. */
export type Earned = { commissionId: number } | { commissionId: null; reason: NoReward }

export type LeadEvent = {
  programId: number
  leadId: number
  partnerId: number
  clickId: string
  visitorHash: Uint8Array | null
  day: string
  /** An erased customer had the same key, and had signed up. */
  isReportedAgain: boolean
  /** Only a browser has reported it. */
  isUnverified: boolean
  settledAt: Date
  at: Date
  /** Decisions that led to it, kept before the one about its commission. */
  ledTo?: NewDecision[]
}

/** Settled leads pay what the terms of their moment say. */
export const earnForLeads = async (tx: Tx, hashKey: string, leads: LeadEvent[]): Promise<Earned[]> => {
  const held = await holdTerms(tx, programsOf(leads))
  const facts = await loadRewardFacts(tx, hashKey, {
    held,
    events: leads.map((one) => ({ ...one, at: one.settledAt })),
  })
  const events: CommissionFacts['event'][] = []
  for (const lead of leads) {
    const rewardedBefore = lead.isReportedAgain && (await paidBefore(tx, lead)).isLeadPaid
    events.push({ kind: 'lead', settledAt: lead.settledAt, ...(rewardedBefore && { rewardedBefore }) })
  }
  const ofVisitor = await forSome(
    leads,
    ({ visitorHash }, place) => visitorHash !== null && earns(facts[place], events[place]),
    (some) => countLeadsOfVisitors(tx, some as (LeadEvent & { visitorHash: Uint8Array })[]),
  )
  const earning = leads.map(({ leadId, settledAt, ledTo = [], ...lead }, place): Earning => {
    const of = { kind: 'lead', leadId } as const
    const event = events[place] as CommissionFacts['event']
    const found = facts[place] as RewardFacts
    return { ...lead, of, facts: found, event, leadsOfVisitor: ofVisitor[place] ?? 0, earnedAt: settledAt, ledTo }
  })
  return earnAll(tx, earning)
}

export type SaleEvent = {
  programId: number
  saleId: number
  partnerId: number
  clickId: string
  amountCents: number
  currency: string
  soldAt: Date
  /** Whether only a browser has reported the customer; looked up where the caller does not know. */
  isUnverified?: boolean
  at: Date
  ledTo?: NewDecision[]
}

/** Whether another sale of the customer was made after this one and has earned already, as the first perhaps. */
export type EarnedBySale = Earned & { hasLater: boolean }

/** Credited sales pay under the terms at the time of the sale, also when they are credited later. */
export const earnForSales = async (
  tx: Tx,
  hashKey: string,
  { sales, held }: { sales: SaleEvent[]; held?: HeldTerms },
): Promise<EarnedBySale[]> => {
  const facts = await loadRewardFacts(tx, hashKey, {
    held: held ?? (await holdTerms(tx, programsOf(sales))),
    events: sales.map((sale) => ({ ...sale, at: sale.soldAt })),
  })
  // Only where terms of the program ask for it: sales of one customer would wait for each other.
  const first = await forSome(
    sales,
    (_, place) => facts[place]?.asksForFirst ?? false,
    async (some) => {
      await lockCustomersByClick(tx, some)
      return firstSalesBeside(tx, some)
    },
  )
  const firstSoldAt = firstSalesAmong(sales, facts, first)
  const earning: Earning[] = []
  for (const [place, { saleId, amountCents, currency, soldAt, ledTo = [], ...sale }] of sales.entries()) {
    const found = facts[place] as RewardFacts
    const event = { kind: 'sale', amountCents, currency, soldAt, firstSoldAt: firstSoldAt.get(saleId) ?? null } as const
    const isUnverified =
      earns(found, event) &&
      (sale.isUnverified ?? (await holdUnverifiedLead(tx, { programId: sale.programId, saleId })))
    const of = { kind: 'sale', saleId } as const
    earning.push({ ...sale, of, facts: found, event, leadsOfVisitor: 0, isUnverified, earnedAt: soldAt, ledTo })
  }
  const earned = await earnAll(tx, earning)
  return earned.map((one, place) => ({ ...one, hasLater: first[place]?.hasLater ?? false }))
}

/** A sale that earns only now may have been refunded or disputed meanwhile. */
export const earnLate = async (tx: Tx, hashKey: string, sale: SaleEvent) => {
  const { programId, saleId, amountCents, currency, at } = sale
  await earnForSales(tx, hashKey, { sales: [sale] })
  await reverseFor(tx, { programId, sale: { id: saleId, amountCents, currency }, cause: 'late_credit', at })
  await followDisputes(tx, { programId, saleId, at })
}

type First = { firstSoldAt: Date | null } | undefined

/** When the first sale of each sale's customer was made, by the number of the sale: one that is recorded, or one of these. */
const firstSalesAmong = (sales: SaleEvent[], facts: RewardFacts[], first: First[]) => {
  const places = Map.groupBy(sales.keys(), (place) => `${sales[place]?.programId} ${sales[place]?.clickId}`)
  const evaluated = [...places.values()].flatMap((ofCustomer) => {
    const termsOf = new Map(ofCustomer.map((place) => [nameOf(sales[place] as SaleEvent), facts[place]?.terms ?? null]))
    const customer: CustomerFacts = {
      lead: null,
      firstSoldBefore: null,
      sales: ofCustomer.map((place) => {
        const { saleId: id, partnerId, amountCents: saleCents, currency, soldAt } = sales[place] as SaleEvent
        const firstSoldBefore = first[place]?.firstSoldAt ?? null
        return { ...NEW_SALE, id, partnerId, saleCents, currency, soldAt, firstSoldBefore }
      }),
    }
    return evaluateCustomer(customer, (partnerId, soldAt) => termsOf.get(nameOf({ partnerId, soldAt })) ?? null).sales
  })
  return new Map(evaluated.map(({ event, firstSoldAt }) => [event.id, firstSoldAt]))
}

const NEW_SALE = { kind: 'sale', refundedCents: 0, openCents: 0, lostCents: 0, review: 'none' } as const

const nameOf = ({ partnerId, soldAt }: Pick<SaleEvent, 'partnerId' | 'soldAt'>) => `${partnerId} ${soldAt.getTime()}`

const programsOf = (events: { programId: number }[]) => events.map(({ programId }) => programId)

const earns = (facts: RewardFacts | undefined, event: CommissionFacts['event'] | undefined) =>
  facts !== undefined && event !== undefined && typeof rewardOf({ terms: facts.terms, event }) !== 'string'

type Earning = {
  programId: number
  partnerId: number
  of: { kind: 'lead'; leadId: number } | { kind: 'sale'; saleId: number }
  facts: RewardFacts
  event: CommissionFacts['event']
  leadsOfVisitor: number
  isUnverified: boolean
  earnedAt: Date
  at: Date
  ledTo: NewDecision[]
}

/** Decides by the rule, and writes the decisions together with what they earn. */
const earnAll = async (tx: Tx, earning: Earning[]): Promise<Earned[]> => {
  const decided = earning.map((one) => {
    const facts = factsOf(one)
    return { ...one, facts, terms: one.facts.terms, result: decideCommission(facts) }
  })
  const decisions = decided.flatMap(({ ledTo, programId, of, facts, result, at }): NewDecision[] => [
    ...ledTo,
    { programId, subject: of.kind, ...subjectOf(of), rule: 'commission', facts, result, at },
  ])
  const paying = decided.flatMap(({ terms, facts, result, ...event }) =>
    terms && result.outcome !== 'nothing'
      ? [{ ...event, terms, reward: result.reward, review: reviewReasons(facts) }]
      : [],
  )
  const commissionIds = paying.length > 0 ? await earn(tx, paying, insertDecisions(decisions)) : []
  if (paying.length === 0) await keepDecisions(tx, decisions)
  const idOf = new Map(paying.map(({ of }, place) => [of, commissionIds[place] as number]))
  return decided.map(({ of, result }) => earnedBy(idOf.get(of), result))
}

const earnedBy = (commissionId: number | undefined, { reason }: CommissionDecision): Earned =>
  commissionId === undefined ? { commissionId: null, reason: reason as NoReward } : { commissionId }

const factsOf = ({ facts, event, leadsOfVisitor, isUnverified }: Earning): CommissionFacts => {
  const { terms, customerIsPartner, partnerStatus } = facts
  const mayEarn = earns(facts, event)
  return {
    terms: terms && factsOfTerms(terms),
    event,
    suspicions: {
      customerIsPartner: mayEarn && customerIsPartner,
      leadsOfVisitor,
      ...(mayEarn && isUnverified && { customerIsUnverified: true }),
    },
    partnerStatus: mayEarn ? partnerStatus : null,
  }
}

const subjectOf = (of: Earning['of']) =>
  of.kind === 'lead'
    ? { subjectId: of.leadId, of: { leadId: of.leadId } }
    : { subjectId: of.saleId, of: { saleId: of.saleId } }

/** What the rule looks at, and no more: facts are compared again years later. */
export const factsOfTerms = (terms: StoredTerms): Terms => {
  const { version, currency, leadAmountCents, salePercentBps, saleAmountCents, saleDuration, saleMonths, holdDays } =
    terms
  return { version, currency, leadAmountCents, salePercentBps, saleAmountCents, saleDuration, saleMonths, holdDays }
}
