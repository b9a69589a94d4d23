import { type NoReward, reversedByLosses } from '../rewards/rewards.ts'

/** Everything that decides a correction: a later report changed what we know about the sale. */
export type CorrectionFacts = {
  /**
   * `amount`: the processor corrected the amount or the date. `refund`: a refund failed, so less is refunded than reported before.
   * `merged`: the sale is part of another sale. `first`: this sale became, or is no longer, the customer's first.
   */
  cause: 'amount' | 'refund' | 'merged' | 'first'
  /** For `first`: the result under the new order of sales. */
  because?: NoReward | 'commission_earned'
  saleCents: { before: number; after: number }
  refundedCents: number
  commission: {
    amountCents: { before: number; after: number }
    currency: string
    /** Promised before the correction. */
    promisedCents: number
    /** The part of the sale lost in disputes. */
    lostCents: number
    /** Lost in a dispute or rejected in a review; it stays at zero. */
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

/** Adjusts the promised amount as if the sale had been reported correctly from the start. */
export const decideCorrection = (facts: CorrectionFacts): CorrectionDecision => {
  const { cause, because, commission } = facts
  const difference = commission ? correctedCents(facts) - commission.promisedCents : 0
  return {
    outcome: difference > 0 ? 'raised' : difference < 0 ? 'lowered' : 'unchanged',
    reason: cause === 'first' ? (because ?? 'commission_earned') : REASON[cause],
    amountCents: Math.abs(difference),
  }
}

/** The promised amount after the correction. */
const correctedCents = ({ cause, saleCents, refundedCents, commission }: CorrectionFacts): number => {
  if (!commission || cause === 'merged' || commission.isOver) return 0
  const { after } = commission.amountCents
  const { lostCents } = commission
  return after - reversedByLosses(after, { saleCents: saleCents.after, refundedCents, lostCents })
}
