import { sql } from 'kysely'
import { lockCustomersByClick } from '../../customers/customers.ts'
import { countLeadsOfVisitors, lockIfUnverified, paidBefore } from '../../customers/leads.ts'
import { type Parts, withParts } from '../../database/sql/columns.ts'
import { forSome } from '../../database/sql/many.ts'
import type { Tx } from '../../database/transaction.ts'
import { insertDecisions, type NewDecision } from '../../explain/decisions.ts'
import { UNTOUCHED } from '../../money/adjustments/decide-set-aside.ts'
import {
  CREATED,
  type CreatedCommission,
  createCommissions,
  openReviews,
} from '../../money/commissions/create-commissions.ts'
import {
  type CommissionDecision,
  type CommissionFacts,
  computeReward,
  decideCommission,
  reviewReasons,
} from '../../money/commissions/decide-commission.ts'
import { type CustomerFacts, evaluateCustomer } from '../../money/commissions/evaluate.ts'
import { type EventTerms, type LockedTerms, shareLockTerms } from '../../money/rewards/reward-terms.ts'
import type { NoReward, Terms } from '../../money/rewards/rewards.ts'
import { findFirstSales } from '../../sales/customer-sales.ts'
import { applyDisputes, reverseCommission } from './commission-changes.ts'
import { applyAdjustments } from './credited-commissions.ts'
import { loadRewardFacts, type RewardFacts } from './reward-facts.ts'

type Earned = { commissionId: number } | { commissionId: null; reason: NoReward }

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
}

/** Creates commissions for leads that are already settled, under the reward terms at the time of settlement. */
export const earnForLeads = async (tx: Tx, hashKey: string, leads: EarningLead[]): Promise<Earned[]> => {
  const lockedTerms = await shareLockTerms(tx, programIdsOf(leads))
  const facts = await loadRewardFacts(tx, hashKey, {
    lockedTerms,
    events: leads.map((one) => ({ ...one, at: one.settledAt })),
  })
  const events: CommissionFacts['event'][] = []
  for (const lead of leads) {
    const rewardedBefore = lead.isReportedAgain && (await paidBefore(tx, lead)).isLeadPaid
    events.push({ kind: 'lead', settledAt: lead.settledAt, ...(rewardedBefore && { rewardedBefore }) })
  }
  const leadsOfVisitor = await forSome(
    leads,
    ({ visitorHash }, index) => visitorHash !== null && earns(facts[index], events[index]),
    (some) => countLeadsOfVisitors(tx, some as (EarningLead & { visitorHash: Uint8Array })[]),
  )
  const earning = leads.map(({ leadId, settledAt, ...lead }, index): EarningEvent => {
    const of = { kind: 'lead', leadId } as const
    const event = events[index] as CommissionFacts['event']
    const found = facts[index] as RewardFacts
    return {
      ...lead,
      of,
      facts: found,
      event,
      leadsOfVisitor: leadsOfVisitor[index] ?? 0,
      earnedAt: settledAt,
    }
  })
  return earnAll(tx, earning)
}

export type EarningSale = {
  programId: number
  saleId: number
  partnerId: number
  clickId: string
  amountCents: number
  currency: string
  soldAt: Date
  /** Whether only a browser has reported the customer; looked up if omitted. */
  isUnverified?: boolean
  /** Loaded if omitted. */
  reward?: RewardFacts | undefined
  at: Date
  /** The attribution, if it is decided now. */
  decision?: NewDecision
}

/** `hasLater`: a later sale of the customer has already earned, possibly as the first sale. */
type EarnedBySale = Earned & { hasLater: boolean }

/** Creates commissions for credited sales, under the reward terms at the time of the sale even if they are credited later. */
export const earnForSales = async (
  tx: Tx,
  hashKey: string,
  { sales, lockedTerms }: { sales: EarningSale[]; lockedTerms?: LockedTerms },
): Promise<EarnedBySale[]> => {
  const loaded = await forSome(
    sales,
    ({ reward }) => reward === undefined,
    async (some) =>
      loadRewardFacts(tx, hashKey, {
        lockedTerms: lockedTerms ?? (await shareLockTerms(tx, programIdsOf(some))),
        events: some.map((sale) => ({ ...sale, at: sale.soldAt })),
      }),
  )
  const facts = sales.map(({ reward }, index) => (reward ?? loaded[index]) as RewardFacts)
  // Only if the program's terms depend on it, because the lock makes sales of one customer wait for each other.
  const first = await forSome(
    sales,
    (_, index) => facts[index]?.dependsOnFirstSale ?? false,
    async (some) => {
      await lockCustomersByClick(tx, some)
      return findFirstSales(tx, some)
    },
  )
  const firstSoldAt = findFirstSaleTimes(sales, facts, first)
  const earning: EarningEvent[] = []
  for (const [index, { saleId, amountCents, currency, soldAt, ...sale }] of sales.entries()) {
    const found = facts[index] as RewardFacts
    const event = { kind: 'sale', amountCents, currency, soldAt, firstSoldAt: firstSoldAt.get(saleId) ?? null } as const
    const isUnverified =
      earns(found, event) && (sale.isUnverified ?? (await lockIfUnverified(tx, { programId: sale.programId, saleId })))
    const of = { kind: 'sale', saleId } as const
    earning.push({
      ...sale,
      of,
      facts: found,
      event,
      leadsOfVisitor: 0,
      isUnverified,
      earnedAt: soldAt,
    })
  }
  const earned = await earnAll(tx, earning)
  return earned.map((one, index) => ({ ...one, hasLater: first[index]?.hasLater ?? false }))
}

/** Creates the commission of a sale credited late, then applies refunds and disputes from the meantime. */
export const earnLate = async (tx: Tx, hashKey: string, sale: EarningSale) => {
  const { programId, saleId, amountCents, currency, at } = sale
  await earnForSales(tx, hashKey, { sales: [sale] })
  await applyAdjustments(tx, { programId, saleId, at })
  await reverseCommission(tx, { programId, sale: { id: saleId, amountCents, currency }, cause: 'late_credit', at })
  await applyDisputes(tx, { programId, saleId, at })
}

type FirstSale = { firstSoldAt: Date | null } | undefined

/** Maps each sale to the time of its customer's first sale, which is either recorded already or part of this batch. */
const findFirstSaleTimes = (sales: EarningSale[], facts: RewardFacts[], first: FirstSale[]) => {
  const indexesByCustomer = Map.groupBy(sales.keys(), (index) => `${sales[index]?.programId} ${sales[index]?.clickId}`)
  const evaluated = [...indexesByCustomer.values()].flatMap((ofCustomer) => {
    const termsBySale = new Map(
      ofCustomer.map((index) => [termsKey(sales[index] as EarningSale), facts[index]?.terms ?? null]),
    )
    const customer: CustomerFacts = {
      lead: null,
      firstSoldBefore: null,
      sales: ofCustomer.map((index) => {
        const { saleId: id, partnerId, amountCents: saleCents, currency, soldAt } = sales[index] as EarningSale
        const firstSoldBefore = first[index]?.firstSoldAt ?? null
        return { ...NEW_SALE, id, partnerId, saleCents, currency, soldAt, firstSoldBefore }
      }),
    }
    return evaluateCustomer(customer, (partnerId, soldAt) => termsBySale.get(termsKey({ partnerId, soldAt })) ?? null)
      .sales
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

const programIdsOf = (events: { programId: number }[]) => events.map(({ programId }) => programId)

const earns = (facts: RewardFacts | undefined, event: CommissionFacts['event'] | undefined) =>
  facts !== undefined && event !== undefined && typeof computeReward({ terms: facts.terms, event }) !== 'string'

export type EarningEvent = {
  programId: number
  partnerId: number
  of: { kind: 'lead'; leadId: number } | { kind: 'sale'; saleId: number }
  facts: RewardFacts
  event: CommissionFacts['event']
  leadsOfVisitor: number
  isUnverified: boolean
  earnedAt: Date
  at: Date
  /** The attribution, if it is decided now. */
  decision?: NewDecision | undefined
}

/**
 * Decides what each event earns, and stores commissions, ledger lines, decisions and the rows of `also` in one statement. `also`
 * adds `assigned` if it assigns customer keys; it must assign one per event. Events of its part `published` come first.
 */
export const earnAll = async (tx: Tx, events: EarningEvent[], also: Parts = {}): Promise<Earned[]> => {
  const decided = events.map((one) => {
    const facts = buildCommissionFacts(one)
    return { ...one, facts, terms: one.facts.terms, result: decideCommission(facts) }
  })
  const decisions = decided.map(
    ({ decision, programId, of, facts, result, at }): NewDecision =>
      decision
        ? { ...decision, commission: { facts, result } }
        : { programId, subject: of.kind, ...subjectOf(of), rule: 'commission', facts, result, at },
  )
  const paying = decided.flatMap(({ terms, facts, result, ...event }) =>
    terms && result.outcome !== 'nothing'
      ? [{ ...event, terms, reward: result.reward, review: reviewReasons(facts) }]
      : [],
  )
  const published = also.published ? 'published' : null
  const parts = { ...also, ...createCommissions(paying, published), decided: insertDecisions(decisions) }
  const assigned = also.assigned ? sql`(SELECT count(*) FROM assigned)` : sql`${events.length}::bigint`
  const { rows } = await sql<{ assigned: number } & CreatedCommission>`
    ${withParts(parts)}
    SELECT assigned, ${CREATED} FROM (SELECT ${assigned} AS assigned) done LEFT JOIN commission ON true`.execute(tx)
  if (rows[0]?.assigned !== events.length) throw new Error('a customer key is already assigned or was not locked')
  const commissionIds = await openReviews(tx, paying, rows)
  const idOf = new Map(paying.map(({ of }, index) => [of, commissionIds[index] as number]))
  return decided.map(({ of, result }) => toEarned(idOf.get(of), result))
}

const toEarned = (commissionId: number | undefined, { reason }: CommissionDecision): Earned =>
  commissionId === undefined ? { commissionId: null, reason: reason as NoReward } : { commissionId }

const buildCommissionFacts = ({ facts, event, leadsOfVisitor, isUnverified }: EarningEvent): CommissionFacts => {
  const { terms, customerIsPartner, partnerStatus } = facts
  const mayEarn = earns(facts, event)
  return {
    terms: terms && toTermsFacts(terms),
    event,
    suspicions: {
      customerIsPartner: mayEarn && customerIsPartner,
      leadsOfVisitor: mayEarn ? leadsOfVisitor : 0,
      ...(mayEarn && isUnverified && { customerIsUnverified: true }),
    },
    partnerStatus: mayEarn ? partnerStatus : null,
  }
}

const subjectOf = (of: EarningEvent['of']) =>
  of.kind === 'lead'
    ? { subjectId: of.leadId, of: { leadId: of.leadId } }
    : { subjectId: of.saleId, of: { saleId: of.saleId } }

/** Only what the rule reads, because stored facts are compared again years later. */
export const toTermsFacts = (terms: EventTerms): Terms => {
  const { version, currency, leadAmountCents, salePercentBps, saleAmountCents, saleDuration, saleMonths, holdDays } =
    terms
  return { version, currency, leadAmountCents, salePercentBps, saleAmountCents, saleDuration, saleMonths, holdDays }
}
