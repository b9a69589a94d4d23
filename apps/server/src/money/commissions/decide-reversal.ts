import { reversedCents } from '../rewards/rewards.ts'

/** Everything that decides what a refund takes back. */
export type ReversalFacts = {
  cause: 'refund' | 'late_credit'
  saleCents: number
  /** In all, this refund included. */
  refundedCents: number
  commission: {
    amountCents: number
    currency: string
    /** What of it was still promised before. */
    promisedCents: number
    /** How much of the sale is lost in disputes. */
    lostCents: number
    /** Paid before, what is taken back is a debt of the partner. */
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

/** Brings a commission down to what the refunds of its sale leave of it, and never below. */
export const decideReversal = ({ cause, saleCents, refundedCents, commission }: ReversalFacts): ReversalDecision => {
  if (!commission) return { outcome: 'unchanged', reason: 'refund_without_commission', amountCents: 0 }
  const gone = Math.min(saleCents, refundedCents + commission.lostCents)
  const target = reversedCents(commission.amountCents, gone, saleCents)
  const amountCents = target - (commission.amountCents - commission.promisedCents)
  if (amountCents <= 0) return { outcome: 'unchanged', reason: 'refund_nothing_left', amountCents: 0 }
  const size = refundedCents === saleCents ? 'refund_reversed_all' : 'refund_reversed_part'
  return { outcome: 'reversed', reason: cause === 'late_credit' ? 'refund_before_credit' : size, amountCents }
}
