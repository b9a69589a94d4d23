import type { PartnerStatus } from '@tributary/contract'
import type { ReviewReason } from '../reviews/reviews.ts'
import { leadReward, type NoReward, payableAt, type Reward, saleReward, type Terms } from '../rewards/rewards.ts'

/** More leads than this from one visitor in a day is worth a look. */
const LEADS_OF_ONE_VISITOR = 5

/** Everything that decides what an event earns. */
export type CommissionFacts = {
  /** Those of the moment of the event, for this partner. */
  terms: Terms | null
  event:
    | { kind: 'lead'; settledAt: Date; rewardedBefore?: boolean }
    | { kind: 'sale'; amountCents: number; currency: string; soldAt: Date; firstSoldAt: Date | null }
  /** Looked up only where there is something to earn. */
  suspicions: {
    customerIsPartner: boolean
    leadsOfVisitor: number
    /** Only a browser has reported the customer's sign-up. */
    customerIsUnverified?: boolean
  }
  /** At the moment of the decision. Null where there is nothing to earn. */
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

/** What it earns, before anybody asks whether something speaks against it. */
export const rewardOf = ({ terms, event }: Pick<CommissionFacts, 'terms' | 'event'>): Reward | NoReward => {
  if (!terms) return 'no_terms'
  if (event.kind === 'sale') return saleReward(terms, event)
  const reward = leadReward(terms)
  return event.rewardedBefore && typeof reward !== 'string' ? 'lead_already_rewarded' : reward
}

export const decideCommission = (facts: CommissionFacts): CommissionDecision => {
  const { terms, event } = facts
  const reward = rewardOf(facts)
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

/** Why a person has to look at it. Confirming the customer ends the last reason, so those that only a person ends come first. */
export const reviewReasons = ({ suspicions, partnerStatus }: Omit<CommissionFacts, 'terms' | 'event'>) => {
  const holds: [ReviewReason, boolean | undefined][] = [
    ['partner_suspended', partnerStatus === 'suspended' || partnerStatus === 'rejected'],
    ['many_leads_from_one_visitor', suspicions.leadsOfVisitor > LEADS_OF_ONE_VISITOR],
    ['customer_is_partner', suspicions.customerIsPartner],
    ['unverified_customer', suspicions.customerIsUnverified],
  ]
  return holds.filter(([, isSo]) => isSo).map(([reason]) => reason)
}
