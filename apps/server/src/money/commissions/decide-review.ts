/** `confirmed`: the merchant's server confirmed the customer. `voided`: a person rejected the commission, in review or not. */
export type ReviewFacts = { decision: 'released' | 'rejected' | 'confirmed' | 'voided' }
type ReviewDecision = {
  outcome: 'released' | 'reversed'
  reason: 'review_released' | 'review_rejected' | 'customer_confirmed' | 'commission_voided'
}

export const decideReview = ({ decision }: ReviewFacts): ReviewDecision => {
  if (decision === 'confirmed') return { outcome: 'released', reason: 'customer_confirmed' }
  if (decision === 'voided') return { outcome: 'reversed', reason: 'commission_voided' }
  return decision === 'released'
    ? { outcome: 'released', reason: 'review_released' }
    : { outcome: 'reversed', reason: 'review_rejected' }
}
