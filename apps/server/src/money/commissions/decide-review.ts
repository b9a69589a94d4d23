/**
 * `confirmed`: the merchant's server confirmed the customer. `voided`: a member voided the commission, in review or not, and
 * `void_undone` restored it. `self_referral`: a later lead named the partner's own address.
 */
export type ReviewFacts = {
  decision: 'released' | 'rejected' | 'confirmed' | 'voided' | 'void_undone' | 'self_referral'
}
type ReviewDecision = {
  outcome: 'released' | 'reversed' | 'review'
  reason:
    | 'customer_is_partner'
    | 'review_released'
    | 'review_rejected'
    | 'customer_confirmed'
    | 'commission_voided'
    | 'void_undone'
}

export const decideReview = ({ decision }: ReviewFacts): ReviewDecision => {
  if (decision === 'self_referral') return { outcome: 'review', reason: 'customer_is_partner' }
  if (decision === 'confirmed') return { outcome: 'released', reason: 'customer_confirmed' }
  if (decision === 'void_undone') return { outcome: 'released', reason: 'void_undone' }
  if (decision === 'voided') return { outcome: 'reversed', reason: 'commission_voided' }
  return decision === 'released'
    ? { outcome: 'released', reason: 'review_released' }
    : { outcome: 'reversed', reason: 'review_rejected' }
}
