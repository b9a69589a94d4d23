export type DisputeFacts = {
  status: 'open' | 'won' | 'lost'
  hasCommission: boolean
  othersOpen: boolean
}

type DisputeDecision = {
  outcome: 'held' | 'reinstated' | 'reversed' | 'unchanged'
  reason: 'dispute_opened' | 'dispute_won' | 'dispute_won_others_open' | 'dispute_lost' | 'dispute_without_commission'
}

export const decideDispute = ({ status, hasCommission, othersOpen }: DisputeFacts): DisputeDecision => {
  if (!hasCommission) return { outcome: 'unchanged', reason: 'dispute_without_commission' }
  if (status === 'lost') return { outcome: 'reversed', reason: 'dispute_lost' }
  if (status === 'open') return { outcome: 'held', reason: 'dispute_opened' }
  return othersOpen
    ? { outcome: 'held', reason: 'dispute_won_others_open' }
    : { outcome: 'reinstated', reason: 'dispute_won' }
}

/** `confirmed`: the merchant's server confirmed the customer. `voided`: a person rejected the commission, in review or not. */
export type ReviewFacts = { decision: 'released' | 'rejected' | 'confirmed' | 'voided' }
type ReviewDecision = {
  outcome: 'released' | 'reversed'
  reason: 'review_released' | 'review_rejected' | 'customer_confirmed' | 'commission_voided'
}

export const reviewOutcome = ({ decision }: ReviewFacts): ReviewDecision => {
  if (decision === 'confirmed') return { outcome: 'released', reason: 'customer_confirmed' }
  if (decision === 'voided') return { outcome: 'reversed', reason: 'commission_voided' }
  return decision === 'released'
    ? { outcome: 'released', reason: 'review_released' }
    : { outcome: 'reversed', reason: 'review_rejected' }
}
