/**
 * `confirmed`: the merchant's server confirmed the customer. `voided`: a member voided the commission, in review or not, and
 * `void_undone` restored it.
 */
export type ReviewFacts = { decision: 'released' | 'rejected' | 'confirmed' | 'voided' | 'void_undone' }
type ReviewDecision = {
  outcome: 'released' | 'reversed'
  reason: 'review_released' | 'review_rejected' | 'customer_confirmed' | 'commission_voided' | 'void_undone'
}

export const decideReview = ({ decision }: ReviewFacts): ReviewDecision => {
  if (decision === 'confirmed') return { outcome: 'released', reason: 'customer_confirmed' }
  if (decision === 'void_undone') return { outcome: 'released', reason: 'void_undone' }
  if (decision === 'voided') return { outcome: 'reversed', reason: 'commission_voided' }
  return decision === 'released'
    ? { outcome: 'released', reason: 'review_released' }
    : { outcome: 'reversed', reason: 'review_rejected' }
}
