import { isSelfDealing } from '../customers/emails.ts'
import { countLeadsOfVisitor, holdUnverifiedLead, paidBefore } from '../customers/leads.ts'
import type { Tx } from '../database/transaction.ts'
import { keepDecisions, type NewDecision } from '../explain/decisions.ts'
import { type CommissionFacts, decideCommission, reviewReasons, rewardOf } from '../money/decide-commission.ts'
import { type Earned, earn } from '../money/earn.ts'
import { holdPartnerStatus } from '../money/partner-standing.ts'
import { holdTerms, type StoredTerms, termsAt } from '../money/reward-terms.ts'
import type { NoReward, Terms } from '../money/rewards.ts'
import type { Program } from '../programs/programs.ts'
import { lockFirstSale } from './lock-first-sale.ts'

type LeadEvent = {
  program: Program
  leadId: number
  partnerId: number
  clickId: string
  visitorHash: Uint8Array | null
  day: string
  /** An erased customer had the same key, and had signed up. */
  isReportedAgain?: boolean
  /** Only a browser has reported it. */
  isUnverified: boolean
  settledAt: Date
  at: Date
}

/** A settled lead pays what the terms of its moment say. The decision is kept with those that led to it. */
export const earnForLead = async (
  tx: Tx,
  hashKey: string,
  lead: LeadEvent,
  ledTo: NewDecision[] = [],
): Promise<Earned> => {
  const { leadId, partnerId, clickId, visitorHash, day, settledAt, at } = lead
  const programId = lead.program.id
  await holdTerms(tx, programId)
  const terms = await termsAt(tx, { programId, partnerId, at: settledAt })
  const rewardedBefore = lead.isReportedAgain && (await paidBefore(tx, { programId, clickId })).isLeadPaid
  const basis = {
    terms: terms && factsOfTerms(terms),
    event: { kind: 'lead' as const, settledAt, ...(rewardedBefore && { rewardedBefore }) },
  }
  const mayEarn = typeof rewardOf(basis) !== 'string'
  const suspicions = {
    customerIsPartner: mayEarn && (await isSelfDealing(tx, hashKey, { programId, partnerId, clickId })),
    leadsOfVisitor: mayEarn && visitorHash ? await countLeadsOfVisitor(tx, { programId, visitorHash, day }) : 0,
    ...(mayEarn && lead.isUnverified && { customerIsUnverified: true }),
  }
  const event = { programId, partnerId, of: { kind: 'lead', leadId } as const, terms, earnedAt: settledAt, at }
  const partnerStatus = mayEarn ? await holdPartnerStatus(tx, { programId, partnerId }) : null
  return earnBy(tx, event, { ...basis, suspicions, partnerStatus }, ledTo)
}

type SaleEvent = {
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
}

/** A credited sale pays under the terms at the time of the sale, also when it is credited later. */
export const earnForSale = async (
  tx: Tx,
  hashKey: string,
  sale: SaleEvent,
  ledTo: NewDecision[] = [],
): Promise<Earned & { hasLater: boolean }> => {
  const { programId, saleId, partnerId, clickId, amountCents, currency, soldAt, at } = sale
  await holdTerms(tx, programId)
  const terms = await termsAt(tx, { programId, partnerId, at: soldAt })
  // Only where terms of the program ask for it: sales of one customer would wait for each other.
  const { firstSoldAt, hasLater } = terms?.asksForFirst
    ? await lockFirstSale(tx, { programId, clickId, saleId, soldAt })
    : { firstSoldAt: null, hasLater: false }
  const basis = {
    terms: terms && factsOfTerms(terms),
    event: { kind: 'sale' as const, amountCents, currency, soldAt, firstSoldAt },
  }
  const mayEarn = typeof rewardOf(basis) !== 'string'
  const suspicions = {
    customerIsPartner: mayEarn && (await isSelfDealing(tx, hashKey, { programId, partnerId, clickId })),
    leadsOfVisitor: 0,
    ...(mayEarn &&
      (sale.isUnverified ?? (await holdUnverifiedLead(tx, { programId, saleId }))) && { customerIsUnverified: true }),
  }
  const event = { programId, partnerId, of: { kind: 'sale', saleId } as const, terms, earnedAt: soldAt, at }
  const partnerStatus = mayEarn ? await holdPartnerStatus(tx, { programId, partnerId }) : null
  return { ...(await earnBy(tx, event, { ...basis, suspicions, partnerStatus }, ledTo)), hasLater }
}

type Event = Omit<Parameters<typeof earn>[1], 'terms' | 'reward' | 'review'> & { terms: StoredTerms | null }

/** Decides by the rule, keeps the decision, and carries it out. */
const earnBy = async (
  tx: Tx,
  { terms, ...event }: Event,
  facts: CommissionFacts,
  ledTo: NewDecision[],
): Promise<Earned> => {
  const { programId, of, at } = event
  const result = decideCommission(facts)
  const subject =
    of.kind === 'lead'
      ? { subjectId: of.leadId, of: { leadId: of.leadId } }
      : { subjectId: of.saleId, of: { saleId: of.saleId } }
  const decision = { programId, subject: of.kind, ...subject, rule: 'commission', facts, result, at } as const
  await keepDecisions(tx, [...ledTo, decision])
  if (!terms || result.outcome === 'nothing') return { commissionId: null, reason: result.reason as NoReward }
  return { commissionId: await earn(tx, { ...event, terms, reward: result.reward, review: reviewReasons(facts) }) }
}

/** What the rule looks at, and no more: facts are compared again years later. */
export const factsOfTerms = (terms: StoredTerms): Terms => {
  const { version, currency, leadAmountCents, salePercentBps, saleAmountCents, saleDuration, saleMonths, holdDays } =
    terms
  return { version, currency, leadAmountCents, salePercentBps, saleAmountCents, saleDuration, saleMonths, holdDays }
}
