import { type NoReward, reversedCents } from '../rewards/rewards.ts'

/** Everything that decides what a correction moves: the sale turned out otherwise than it was first told. */
export type CorrectionFacts = {
  /**
   * `amount`: the processor has told better what was paid, or when. `refund`: less is refunded than was told before, for a
   * refund has failed. `merged`: the sale is part of another one. `first`: another sale turned out to be the customer's first,
   * or this one did.
   */
  cause: 'amount' | 'refund' | 'merged' | 'first'
  /** What the order of sales means for this one. */
  because?: NoReward | 'commission_earned'
  saleCents: { before: number; after: number }
  refundedCents: number
  commission: {
    amountCents: { before: number; after: number }
    currency: string
    /** What of it was still promised before. */
    promisedCents: number
    /** How much of the sale is lost in disputes. */
    lostCents: number
    /** Lost in a dispute or rejected in a review: nothing of it comes back. */
    isOver: boolean
    wasPaid: boolean
  } | null
}

export type CorrectionDecision = {
  outcome: 'raised' | 'lowered' | 'unchanged'
  reason: 'amount_corrected' | 'refund_undone' | 'merged_into_another_sale' | 'commission_earned' | NoReward
  amountCents: number
}

const REASON = { amount: 'amount_corrected', refund: 'refund_undone', merged: 'merged_into_another_sale' } as const

/** Brings what is promised to what it would be, had the last word been the first. */
export const decideCorrection = (facts: CorrectionFacts): CorrectionDecision => {
  const { cause, because, commission } = facts
  const difference = commission ? leftOf(facts) - commission.promisedCents : 0
  return {
    outcome: difference > 0 ? 'raised' : difference < 0 ? 'lowered' : 'unchanged',
    reason: cause === 'first' ? (because ?? 'commission_earned') : REASON[cause],
    amountCents: Math.abs(difference),
  }
}

/** What is to be promised in the end. */
const leftOf = ({ cause, saleCents, refundedCents, commission }: CorrectionFacts): number => {
  if (!commission || cause === 'merged' || commission.isOver) return 0
  const { after } = commission.amountCents
  const gone = Math.min(saleCents.after, refundedCents + commission.lostCents)
  return after - reversedCents(after, gone, saleCents.after)
}
