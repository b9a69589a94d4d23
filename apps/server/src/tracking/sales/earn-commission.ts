import { lockCustomersByClick } from '../../customers/customers.ts'
import { areSelfDealing } from '../../customers/emails.ts'
import { countLeadsOfVisitors, holdUnverifiedLead, paidBefore } from '../../customers/leads.ts'
import { forSome } from '../../database/sql/many.ts'
import type { Tx } from '../../database/transaction.ts'
import { keepDecisions, type NewDecision } from '../../explain/decisions.ts'
import {
  type CommissionFacts,
  decideCommission,
  reviewReasons,
  rewardOf,
} from '../../money/commissions/decide-commission.ts'
import { earn } from '../../money/commissions/earn.ts'
import { holdPartnerStatuses } from '../../money/commissions/partner-standing.ts'
import { allTermsAt, holdAllTerms, type StoredTerms, type TermsOfEvent } from '../../money/rewards/reward-terms.ts'
import type { NoReward, Terms } from '../../money/rewards/rewards.ts'
import { firstSalesBeside } from '../../sales/sales-of-customer.ts'
import { reverseFor } from './reverse-for.ts'
import { followDisputes } from './take-dispute.ts'

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
  /** What led to it, kept before the decision about its commission. */
  ledTo?: NewDecision[]
}

/** Settled leads pay what the terms of their moment say. */
export const earnForLeads = async (tx: Tx, hashKey: string, leads: LeadEvent[]): Promise<Earned[]> => {
  await holdAllTerms(tx, programsOf(leads))
  const terms = await allTermsAt(
    tx,
    leads.map((lead) => ({ ...lead, at: lead.settledAt })),
  )
  const basis: Basis[] = []
  for (const [place, lead] of leads.entries()) {
    const { settledAt } = lead
    const rewardedBefore = lead.isReportedAgain && (await paidBefore(tx, lead)).isLeadPaid
    const event = { kind: 'lead' as const, settledAt, ...(rewardedBefore && { rewardedBefore }) }
    basis.push({ terms: terms[place] ?? null, event })
  }
  const ofVisitor = await forSome(
    leads,
    ({ visitorHash }, place) => visitorHash !== null && mayEarn(basis[place]),
    (some) => countLeadsOfVisitors(tx, some as (LeadEvent & { visitorHash: Uint8Array })[]),
  )
  const earning = leads.map(({ leadId, isUnverified, settledAt, ledTo = [], ...lead }, place) => ({
    ...lead,
    of: { kind: 'lead', leadId } as const,
    basis: basis[place] as Basis,
    leadsOfVisitor: ofVisitor[place] ?? 0,
    isUnverified,
    earnedAt: settledAt,
    ledTo,
  }))
  return earnAll(tx, hashKey, earning)
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
export const earnForSales = async (tx: Tx, hashKey: string, sales: SaleEvent[]): Promise<EarnedBySale[]> => {
  await holdAllTerms(tx, programsOf(sales))
  const terms = await allTermsAt(
    tx,
    sales.map((sale) => ({ ...sale, at: sale.soldAt })),
  )
  // Only where terms of the program ask for it: sales of one customer would wait for each other.
  const first = await forSome(
    sales,
    (_, place) => terms[place]?.asksForFirst ?? false,
    async (some) => {
      await lockCustomersByClick(tx, some)
      return firstSalesBeside(tx, some)
    },
  )
  const bases = basesOf(sales, terms, first)
  const earning = []
  for (const [place, { saleId, soldAt, ledTo = [], ...sale }] of sales.entries()) {
    const basis = bases[place] as Basis
    const isUnverified =
      mayEarn(basis) && (sale.isUnverified ?? (await holdUnverifiedLead(tx, { programId: sale.programId, saleId })))
    const of = { kind: 'sale', saleId } as const
    earning.push({ ...sale, of, basis, leadsOfVisitor: 0, isUnverified, earnedAt: soldAt, ledTo })
  }
  const earned = await earnAll(tx, hashKey, earning)
  return earned.map((one, place) => ({ ...one, hasLater: first[place]?.hasLater ?? false }))
}

/** A sale that earns only now may have been refunded or disputed meanwhile. */
export const earnLate = async (tx: Tx, hashKey: string, sale: SaleEvent) => {
  const { programId, saleId, amountCents, currency, at } = sale
  await earnForSales(tx, hashKey, [sale])
  await reverseFor(tx, { programId, sale: { id: saleId, amountCents, currency }, cause: 'late_credit', at })
  await followDisputes(tx, { programId, saleId, at })
}

type First = { firstSoldAt: Date | null }

/** Of several sales of one customer, the first that earns anything is the first for those after it, as in money/commissions/evaluate.ts. */
const basesOf = (sales: SaleEvent[], terms: (TermsOfEvent | null)[], first: (First | undefined)[]): Basis[] => {
  const bases: Basis[] = []
  const firstOf = new Map<string, Date>()
  const places = sales
    .map((_, place) => place)
    .toSorted((a, b) => {
      const [one, other] = [sales[a] as SaleEvent, sales[b] as SaleEvent]
      return one.soldAt.getTime() - other.soldAt.getTime() || one.saleId - other.saleId
    })
  for (const place of places) {
    const { programId, clickId, amountCents, currency, soldAt } = sales[place] as SaleEvent
    const customer = `${programId} ${clickId}`
    const asks = terms[place]?.asksForFirst ?? false
    const firstSoldAt = asks ? earlierOf(first[place]?.firstSoldAt ?? null, firstOf.get(customer) ?? null) : null
    const event = { kind: 'sale' as const, amountCents, currency, soldAt, firstSoldAt }
    const basis: Basis = { terms: terms[place] ?? null, event }
    if (mayEarn(basis) && !firstOf.has(customer)) firstOf.set(customer, soldAt)
    bases[place] = basis
  }
  return bases
}

const earlierOf = (a: Date | null, b: Date | null) => (a && b ? (a < b ? a : b) : (a ?? b))

const programsOf = (events: { programId: number }[]) => events.map(({ programId }) => programId)

type Basis = { terms: StoredTerms | null; event: CommissionFacts['event'] }

const rewardBy = ({ terms, event }: Basis) => rewardOf({ terms: terms && factsOfTerms(terms), event })
const mayEarn = (basis: Basis | undefined) => basis !== undefined && typeof rewardBy(basis) !== 'string'

type Earning = {
  programId: number
  partnerId: number
  clickId: string
  of: { kind: 'lead'; leadId: number } | { kind: 'sale'; saleId: number }
  basis: Basis
  leadsOfVisitor: number
  isUnverified: boolean
  earnedAt: Date
  at: Date
  ledTo: NewDecision[]
}

/** Looks up what speaks against each, decides by the rule, keeps the decisions, and carries them out. */
const earnAll = async (tx: Tx, hashKey: string, earning: Earning[]): Promise<Earned[]> => {
  const may = ({ basis }: Earning) => mayEarn(basis)
  const ofPartner = await forSome(earning, may, (some) => areSelfDealing(tx, hashKey, some))
  const statuses = await forSome(earning, may, (some) => holdPartnerStatuses(tx, some))
  const decided = earning.map((one, place) => {
    const { basis, leadsOfVisitor, isUnverified } = one
    const facts: CommissionFacts = {
      terms: basis.terms && factsOfTerms(basis.terms),
      event: basis.event,
      suspicions: {
        customerIsPartner: ofPartner[place] ?? false,
        leadsOfVisitor,
        ...(may(one) && isUnverified && { customerIsUnverified: true }),
      },
      partnerStatus: statuses[place] ?? null,
    }
    return { ...one, facts, result: decideCommission(facts) }
  })
  await keepDecisions(
    tx,
    decided.flatMap(({ ledTo, programId, of, facts, result, at }) => [
      ...ledTo,
      { programId, subject: of.kind, ...subjectOf(of), rule: 'commission', facts, result, at } as const,
    ]),
  )
  const commissionIds = await forSome(
    decided,
    ({ result }) => result.outcome !== 'nothing',
    (some) =>
      earn(
        tx,
        some.flatMap(({ basis, facts, result, ...event }) =>
          basis.terms && result.outcome !== 'nothing'
            ? [{ ...event, terms: basis.terms, reward: result.reward, review: reviewReasons(facts) }]
            : [],
        ),
      ),
  )
  return decided.map(({ result }, place) => {
    const commissionId = commissionIds[place]
    return commissionId === undefined ? { commissionId: null, reason: result.reason as NoReward } : { commissionId }
  })
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
