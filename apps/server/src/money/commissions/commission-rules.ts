import type { SelfReferralMatch } from '@tributary/contract'
import {
  type CommissionFacts,
  type NoReward,
  reversedByLosses,
  type SaleAmounts,
  splitCommission,
} from '../rewards/rewards.ts'

/** Everything that decides a commission's standing. */
export type StandingFacts = {
  /** Before any reversal. */
  amountCents: number
  /** Null for leads, which cannot be refunded. */
  sale: SaleAmounts | null
  review: 'none' | 'open' | 'released' | 'rejected'
  /** The sale was merged into another one. */
  isMerged: boolean
  /** A member's decision takes it to zero (`isSetAside`). */
  isSetAside: boolean
}

/** Cents per account. The promised rest, neither disputed nor in review, is in the partner's balance or already paid. */
export type Standing = { promised: number; disputed: number; review: number }

export const NOTHING: Standing = { promised: 0, disputed: 0, review: 0 }

/** The one rule behind refunds, disputes, reviews, adjustments and corrections. */
export const standingOf = ({ amountCents, sale, review, isMerged, isSetAside }: StandingFacts): Standing => {
  if (isMerged || isSetAside || review === 'rejected') return NOTHING
  const { reversed, held } = sale ? splitCommission(amountCents, sale) : { reversed: 0, held: 0 }
  const promised = amountCents - reversed
  return { promised, disputed: held, review: review === 'open' ? promised - held : 0 }
}

/** In the partner's balance or already paid; never negative. */
export const balanceOf = ({ promised, disputed, review }: Standing) => promised - disputed - review

/** A member's decision about which partner gets a sale. */
export type ManualCredit = { id: number; isUndone: boolean }

/** The last decision that was not undone. */
export const activeCredit = <Credit extends ManualCredit>(credits: Credit[]): Credit | null =>
  credits.reduce<Credit | null>((last, one) => (one.isUndone || (last && last.id > one.id) ? last : one), null)

/** What members have decided about a commission. */
export type ManualDecisions = {
  isVoided: boolean
  /** The bonus or manual commission was undone. */
  isUndone: boolean
  /** The decision that this commission pays for; null if the automatic rules created it. */
  creditId: number | null
  /** All decisions about its sale; empty if it has none. */
  credits: ManualCredit[]
}

export const UNTOUCHED: ManualDecisions = { isVoided: false, isUndone: false, creditId: null, credits: [] }

/** Whether a member's decision takes the commission to zero: a void, an undone bonus, or a sale that is now another partner's. */
export const isSetAside = ({ isVoided, isUndone, creditId, credits }: ManualDecisions) =>
  isVoided || isUndone || (activeCredit(credits)?.id ?? null) !== creditId

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
  /** How the new amount follows from a list of rules. Only to explain it. */
  recalculated?: Pick<CommissionFacts, 'terms' | 'event'>
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

/**
 * `confirmed`: the merchant's server confirmed the customer. `voided`: a member voided the commission, in review or not, and
 * `void_undone` restored it. `self_referral`: it became known later that the customer is the partner.
 */
export type ReviewFacts = {
  /** Of a self-referral. Stored decisions from before have none. */
  matches?: SelfReferralMatch[]
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
