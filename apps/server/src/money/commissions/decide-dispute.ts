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
