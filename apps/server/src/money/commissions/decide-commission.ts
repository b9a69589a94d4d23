import type { PartnerStatus } from '@tributary/contract'
import type { ReviewReason } from '../reviews/reviews.ts'
import { leadReward, type NoReward, payableAt, type Reward, saleReward, type Terms } from '../rewards/rewards.ts'

/** More leads than this from one visitor in a day trigger a review. */
const MAX_LEADS_PER_VISITOR = 5

/** Everything that decides what an event earns; stored with the decision. */
export type CommissionFacts = {
  /** The partner's terms at the time of the event. */
  terms: Terms | null
  event:
    | { kind: 'lead'; settledAt: Date; rewardedBefore?: boolean }
    | { kind: 'sale'; amountCents: number; currency: string; soldAt: Date; firstSoldAt: Date | null }
  /** Looked up only if the event earns something. */
  suspicions: {
    customerIsPartner: boolean
    leadsOfVisitor: number
    /** Only the browser has reported the lead; the merchant's server has not confirmed it. */
    customerIsUnverified?: boolean
  }
  /** At the time of the decision; null if the event earns nothing. */
  partnerStatus: PartnerStatus | null
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

/** What the event earns, before any review. */
export const computeReward = ({ terms, event }: Pick<CommissionFacts, 'terms' | 'event'>): Reward | NoReward => {
  if (!terms) return 'no_terms'
  if (event.kind === 'sale') return saleReward(terms, event)
  const reward = leadReward(terms)
  return event.rewardedBefore && typeof reward !== 'string' ? 'lead_already_rewarded' : reward
}

export const decideCommission = (facts: CommissionFacts): CommissionDecision => {
  const { terms, event } = facts
  const reward = computeReward(facts)
  if (!terms || typeof reward === 'string')
    return { outcome: 'nothing', reason: reward as NoReward, termsVersion: terms?.version ?? null }
  const [review] = reviewReasons(facts)
  return {
    outcome: review ? 'review' : 'earned',
    reason: review ?? 'commission_earned',
    reward,
    payableAt: payableAt(event.kind === 'lead' ? event.settledAt : event.soldAt, terms.holdDays),
    termsVersion: terms.version,
  }
}

/** `unverified_customer` comes last: confirming the customer clears it automatically, while the others need a person. */
export const reviewReasons = ({ suspicions, partnerStatus }: Omit<CommissionFacts, 'terms' | 'event'>) => {
  const checks: [ReviewReason, boolean | undefined][] = [
    ['partner_suspended', partnerStatus === 'suspended' || partnerStatus === 'rejected'],
    ['many_leads_from_one_visitor', suspicions.leadsOfVisitor > MAX_LEADS_PER_VISITOR],
    ['customer_is_partner', suspicions.customerIsPartner],
    ['unverified_customer', suspicions.customerIsUnverified],
  ]
  return checks.filter(([, applies]) => applies).map(([reason]) => reason)
}
