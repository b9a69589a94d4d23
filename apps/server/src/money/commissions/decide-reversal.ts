import { reversedByLosses } from '../rewards/rewards.ts'

/** Everything that decides how much a refund reverses. */
export type ReversalFacts = {
  cause: 'refund' | 'late_credit'
  saleCents: number
  /** Total, including this refund. */
  refundedCents: number
  commission: {
    amountCents: number
    currency: string
    /** Promised before the refund. */
    promisedCents: number
    /** The part of the sale lost in disputes. */
    lostCents: number
    /** If already paid, the reversal becomes the partner's debt. */
    wasPaid: boolean
  } | null
}

export type ReversalDecision = {
  outcome: 'reversed' | 'unchanged'
  reason:
    | 'refund_reversed_part'
    | 'refund_reversed_all'
    | 'refund_before_credit'
    | 'refund_without_commission'
    | 'refund_nothing_left'
  amountCents: number
}

/** Reduces a commission in proportion to the refunded part of its sale, counting earlier reversals. */
export const decideReversal = ({ cause, saleCents, refundedCents, commission }: ReversalFacts): ReversalDecision => {
  if (!commission) return { outcome: 'unchanged', reason: 'refund_without_commission', amountCents: 0 }
  const { lostCents } = commission
  const target = reversedByLosses(commission.amountCents, { saleCents, refundedCents, lostCents })
  const amountCents = target - (commission.amountCents - commission.promisedCents)
  if (amountCents <= 0) return { outcome: 'unchanged', reason: 'refund_nothing_left', amountCents: 0 }
  const size = refundedCents === saleCents ? 'refund_reversed_all' : 'refund_reversed_part'
  return { outcome: 'reversed', reason: cause === 'late_credit' ? 'refund_before_credit' : size, amountCents }
}
