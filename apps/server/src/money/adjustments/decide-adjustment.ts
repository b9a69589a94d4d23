import type { PartnerStatus } from '@tributary/contract'
import { computeReward, type NoReward, payableAt, type Reward, reviewReasons, type Terms } from '../rewards/rewards.ts'
import type { SaleForRules } from '../rewards/rules.ts'

/** Everything that decides what a sale credited or moved manually earns; stored with the decision. */
export type AdjustmentFacts =
  | {
      action: 'credit' | 'move'
      partnerId: number
      fromPartnerId: number | null
      /** The partner's terms at the time of the sale. */
      terms: Terms | null
      event: Omit<SaleForRules, 'firstSoldAt'>
      partnerStatus: PartnerStatus
    }
  /** `partnerId`: who has the sale now. */
  | { action: 'undo'; partnerId: number | null }

export type AdjustmentDecision =
  | {
      outcome: 'credited' | 'moved'
      reason: 'credited_by_hand' | 'moved_by_hand'
      reward: Reward
      payableAt: Date
      termsVersion: number
      isInReview: boolean
    }
  | { outcome: 'refused'; reason: NoReward }
  | { outcome: 'undone'; reason: 'adjustment_undone' }

/** The sale pays as a first sale: a member decided that it pays, whatever the customer bought before. */
export const decideAdjustment = (facts: AdjustmentFacts): AdjustmentDecision => {
  if (facts.action === 'undo') return { outcome: 'undone', reason: 'adjustment_undone' }
  const { action, terms, event, partnerStatus } = facts
  const reward = computeReward({ terms, event: { kind: 'sale', ...event, firstSoldAt: null } })
  if (!terms || typeof reward === 'string') return { outcome: 'refused', reason: reward as NoReward }
  return {
    ...(action === 'credit'
      ? { outcome: 'credited', reason: 'credited_by_hand' }
      : { outcome: 'moved', reason: 'moved_by_hand' }),
    reward,
    payableAt: payableAt(event.soldAt, terms.holdDays),
    termsVersion: terms.version,
    isInReview: reviewsOfPartner(partnerStatus).length > 0,
  }
}

/** A member vouches for the customer, so only the partner's status can require a review. */
export const reviewsOfPartner = (partnerStatus: PartnerStatus) =>
  reviewReasons({ partnerStatus, suspicions: { customerIsPartner: false, leadsOfVisitor: 0 } })
