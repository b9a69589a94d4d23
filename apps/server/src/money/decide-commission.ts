import type { ReviewReason } from './reviews.ts'
import { leadReward, type NoReward, payableAt, type Reward, saleReward, type Terms } from './rewards.ts'

/** More leads than this from one visitor in a day is worth a look. */
const LEADS_OF_ONE_VISITOR = 5

/** Everything that decides what an event earns. */
export type CommissionFacts = {
  /** Those of the moment of the event, for this partner. */
  terms: Terms | null
  event:
    | { kind: 'lead'; settledAt: Date }
    | { kind: 'sale'; amountCents: number; currency: string; soldAt: Date; firstSoldAt: Date | null }
  /** Looked up only where there is something to earn. */
  suspicions: { customerIsPartner: boolean; leadsOfVisitor: number }
}

export type CommissionDecision =
  | {
      outcome: 'earned' | 'review'
      reason: 'commission_earned' | ReviewReason
      reward: Reward
      payableAt: Date
      termsVersion: number
    }
  | { outcome: 'nothing'; reason: NoReward; termsVersion: number | null }

/** What it earns, before anybody asks whether something speaks against it. */
export const rewardOf = ({ terms, event }: Omit<CommissionFacts, 'suspicions'>): Reward | NoReward => {
  if (!terms) return 'no_terms'
  return event.kind === 'lead' ? leadReward(terms) : saleReward(terms, event)
}

export const decideCommission = (facts: CommissionFacts): CommissionDecision => {
  const { terms, event } = facts
  const reward = rewardOf(facts)
  if (!terms || typeof reward === 'string')
    return { outcome: 'nothing', reason: reward as NoReward, termsVersion: terms?.version ?? null }
  const review = reviewReason(facts)
  return {
    outcome: review ? 'review' : 'earned',
    reason: review ?? 'commission_earned',
    reward,
    payableAt: payableAt(event.kind === 'lead' ? event.settledAt : event.soldAt, terms.holdDays),
    termsVersion: terms.version,
  }
}

const reviewReason = ({ suspicions }: CommissionFacts): ReviewReason | null => {
  if (suspicions.leadsOfVisitor > LEADS_OF_ONE_VISITOR) return 'many_leads_from_one_visitor'
  return suspicions.customerIsPartner ? 'customer_is_partner' : null
}
