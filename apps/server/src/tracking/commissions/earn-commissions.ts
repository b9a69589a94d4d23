import { sql } from 'kysely'
import { lockCustomersByClick } from '../../customers/customers.ts'
import { countLeadsOfVisitors, lockIfUnverified, paidBefore } from '../../customers/leads.ts'
import { type Parts, withParts } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'
import { insertDecisions, type NewDecision } from '../../explain/decisions.ts'
import { UNTOUCHED } from '../../money/adjustments/decide-set-aside.ts'
import {
  CREATED,
  type CreatedCommission,
  createCommissions,
  type NewEarning,
  openReviews,
} from '../../money/commissions/create-commissions.ts'
import {
  type CommissionFacts,
  computeReward,
  decideCommission,
  reviewReasons,
} from '../../money/commissions/decide-commission.ts'
import { type CustomerFacts, evaluateCustomer } from '../../money/commissions/evaluate.ts'
import { type EventTerms, type LockedTerms, shareLockTerms } from '../../money/rewards/reward-terms.ts'
import type { Terms } from '../../money/rewards/rewards.ts'
import { type FirstSale, findFirstSales } from '../../sales/customer-sales.ts'
import { applyDisputes, reverseCommission } from './commission-changes.ts'
import { applyAdjustments } from './credited-commissions.ts'
import { loadRewardFacts, type RewardFacts } from './reward-facts.ts'

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

const programIdsOf = (events: { programId: number }[]) => events.map(({ programId }) => programId)

const earns = ({ terms }: RewardFacts, event: CommissionFacts['event']) =>
  typeof computeReward({ terms, event }) !== 'string'

export type EarningEvent = {
  programId: number
  partnerId: number
  of: { kind: 'lead'; leadId: number } | { kind: 'sale'; saleId: number }
  reward: RewardFacts
  event: CommissionFacts['event']
  leadsOfVisitor: number
  isUnverified: boolean
  earnedAt: Date
  at: Date
  /** The attribution, if it is decided now. */
  decision?: NewDecision | undefined
  /** Filled in if the event earns a commission. */
  commissionId?: number
}

/**
 * Decides what each event earns, and stores commissions, ledger lines, decisions and the rows of `moreParts` in one
 * statement. A part `assigned` assigns customer keys and must assign one per event. The events of a part `published` come first.
 */
export const earnAll = async (tx: Tx, events: EarningEvent[], moreParts: Parts = {}) => {
  const decisions: NewDecision[] = []
  const paying: NewEarning[] = []
  for (const event of events) {
    const facts = buildCommissionFacts(event)
    const result = decideCommission(facts)
    const {
      programId,
      of,
      reward: { terms },
      decision,
      at,
    } = event
    decisions.push(
      decision
        ? { ...decision, commission: { facts, result } }
        : { programId, subject: of.kind, ...subjectOf(of), rule: 'commission', facts, result, at },
    )
    if (!terms || result.outcome === 'nothing') continue
    const { partnerId, earnedAt } = event
    const { reward } = result
    paying.push({ event, programId, partnerId, of, terms, reward, earnedAt, review: reviewReasons(facts), at })
  }
  const published = moreParts.published ? 'published' : null
  const parts = { ...moreParts, ...createCommissions(paying, published), decided: insertDecisions(decisions) }
  const assigned = moreParts.assigned ? sql`(SELECT count(*) FROM assigned)` : sql`${events.length}::bigint`
  const { rows } = await sql<{ assigned: number } & CreatedCommission>`
    ${withParts(parts)}
    SELECT assigned, ${CREATED} FROM (SELECT ${assigned} AS assigned) done LEFT JOIN commission ON true`.execute(tx)
  if (rows[0]?.assigned !== events.length) throw new Error('a customer key is already assigned or was not locked')
  await openReviews(tx, paying, rows)
}

const buildCommissionFacts = ({ reward, event, leadsOfVisitor, isUnverified }: EarningEvent): CommissionFacts => {
  const { terms, customerIsPartner, partnerStatus } = reward
  const mayEarn = earns(reward, event)
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
