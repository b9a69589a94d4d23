import type { PartnerStatus, RewardRule, SelfReferralMatch } from '@tributary/contract'
import type { ReviewReason } from '../reviews/reviews.ts'
import { addMonths } from './months.ts'
import { applyRules, currencyOfRules, type RulesDecision, type SaleForRules } from './rules.ts'

/** Reward arithmetic: integers only, rounded once, half up. */

export type Terms = {
  version: number
  currency: string
  leadAmountCents: number | null
  salePercentBps: number | null
  saleAmountCents: number | null
  saleDuration: 'first' | 'months' | 'lifetime' | null
  saleMonths: number | null
  /** Instead of the sale reward above. Left out or null if there is no list. */
  saleRules?: RewardRule[] | null
  holdDays: number
}

type TermsWithRules = Terms & { saleRules: RewardRule[] }

export const hasRules = (terms: Terms): terms is TermsWithRules => Boolean(terms.saleRules)

/** Only what the rule reads, because stored facts are compared again years later. */
export const toTermsFacts = (terms: Terms): Terms => {
  const { version, currency, leadAmountCents, salePercentBps, saleAmountCents, saleDuration, saleMonths, holdDays } =
    terms
  const simple = {
    version,
    currency,
    leadAmountCents,
    salePercentBps,
    saleAmountCents,
    saleDuration,
    saleMonths,
    holdDays,
  }
  return terms.saleRules ? { ...simple, saleRules: terms.saleRules } : simple
}

export type Reward = { amountCents: number; currency: string }

/** Why an event credited to a partner earns nothing. */
export type NoReward =
  | 'no_terms'
  | 'no_reward_for_leads'
  | 'no_reward_for_sales'
  | 'lead_already_rewarded'
  | 'not_the_first_sale'
  | 'reward_period_over'
  | 'no_rule_matches'
  | 'rule_pays_nothing'
  | 'flat_in_other_currency'
  | 'maximum_reached'
  | 'rounds_to_zero'

const DAY_MS = 86_400_000
const WHOLE_BPS = 10_000

/** `cents` × `part` / `whole`, rounded half up, for non-negative values. The product can exceed the safe integer range, hence BigInt. */
export const prorate = (cents: number, part: number, whole: number) => {
  const doubled = 2n * BigInt(cents) * BigInt(part) + BigInt(whole)
  return Number(doubled / (2n * BigInt(whole)))
}

export const leadReward = (terms: Terms): Reward | NoReward =>
  terms.leadAmountCents === null
    ? 'no_reward_for_leads'
    : { amountCents: terms.leadAmountCents, currency: terms.currency }

/** `firstSoldAt`: of the customer's first sale that earned or, with rules, of their first sale; null if this is the first. */
type SaleFacts = SaleForRules

/** A percentage is paid in the sale's currency, a flat amount in the currency of the terms. */
export const saleReward = (terms: Terms, sale: SaleFacts): Reward | NoReward => {
  if (hasRules(terms)) return rewardByRules(applyRules(terms, sale), sale)
  const { amountCents, currency, soldAt, firstSoldAt } = sale
  if (terms.saleDuration === null) return 'no_reward_for_sales'
  if (terms.saleDuration === 'first' && firstSoldAt !== null) return 'not_the_first_sale'
  if (
    terms.saleDuration === 'months' &&
    firstSoldAt !== null &&
    soldAt >= addMonths(firstSoldAt, terms.saleMonths ?? 0)
  )
    return 'reward_period_over'
  if (amountCents === 0) return 'rounds_to_zero'
  if (terms.saleAmountCents !== null) return { amountCents: terms.saleAmountCents, currency: terms.currency }
  const earned = prorate(amountCents, terms.salePercentBps ?? 0, WHOLE_BPS)
  return earned === 0 ? 'rounds_to_zero' : { amountCents: earned, currency }
}

const rewardByRules = (decision: RulesDecision, sale: SaleFacts): Reward | NoReward => {
  const { amountCents, currency, items, rules } = decision
  if (amountCents > 0) return { amountCents, currency }
  if (sale.amountCents === 0) return 'rounds_to_zero'
  if (rules.some(({ cutBy }) => cutBy !== null)) return 'maximum_reached'
  const reasons = items.map(({ reason }) => reason)
  if (rules.length > 0) return 'rounds_to_zero'
  if (reasons.includes('stages_over')) return 'reward_period_over'
  if (reasons.includes('flat_in_other_currency')) return 'flat_in_other_currency'
  return reasons.includes('rule_pays_nothing') ? 'rule_pays_nothing' : 'no_rule_matches'
}

/** Depends only on the terms and the sale's currency. */
export const currencyOfReward = (terms: Terms, saleCurrency: string) => {
  if (hasRules(terms)) return currencyOfRules(terms, saleCurrency)
  return terms.saleAmountCents === null ? saleCurrency : terms.currency
}

/** Calculated from the cumulative refund, so three partial refunds reverse exactly what one full refund would. */
export const reversedCents = (commissionCents: number, refundedCents: number, saleCents: number) =>
  saleCents === 0 ? 0 : prorate(commissionCents, refundedCents, saleCents)

/** A sale's total, and the parts that are refunded, in open disputes and in lost disputes. */
export type SaleAmounts = { saleCents: number; refundedCents: number; openCents: number; lostCents: number }

/**
 * The part of a commission reversed by refunds and lost disputes, and the part held by open disputes. Each is capped at the whole
 * sale and rounded once, so a won dispute restores the commission exactly.
 */
export const splitCommission = (
  commissionCents: number,
  { saleCents, refundedCents, openCents, lostCents }: SaleAmounts,
) => {
  const reversed = reversedByLosses(commissionCents, { saleCents, refundedCents, lostCents })
  const reversedOrHeld = reversedByLosses(commissionCents, {
    saleCents,
    refundedCents,
    lostCents: lostCents + openCents,
  })
  return { reversed, held: reversedOrHeld - reversed }
}

/** The part of a commission reversed by refunds and lost disputes together, which cannot exceed the sale. */
export const reversedByLosses = (
  commissionCents: number,
  { saleCents, refundedCents, lostCents }: Omit<SaleAmounts, 'openCents'>,
) => reversedCents(commissionCents, Math.min(saleCents, refundedCents + lostCents), saleCents)

/** Converts a refund of the gross payment (tax included) to the net sale amount. A full gross refund is a full net refund. */
export const netRefundCents = (saleCents: number, refundedGrossCents: number, grossCents: number) =>
  prorate(saleCents, Math.min(refundedGrossCents, grossCents), grossCents)

export const payableAt = (earnedAt: Date, holdDays: number) => new Date(earnedAt.getTime() + holdDays * DAY_MS)

/** More leads than this from one visitor in a day trigger a review. */
const MAX_LEADS_PER_VISITOR = 5

/** Everything that decides what an event earns; stored with the decision. */
export type CommissionFacts = {
  /** The partner's terms at the time of the event. */
  terms: Terms | null
  event: { kind: 'lead'; settledAt: Date; rewardedBefore?: boolean } | ({ kind: 'sale' } & SaleForRules)
  /** Looked up only if the event earns something. */
  suspicions: {
    customerIsPartner: boolean
    /** How. Stored decisions from before have none. */
    matches?: SelfReferralMatch[]
    leadsOfVisitor: number
    /** Only the browser has reported the lead; the merchant's server has not confirmed it. */
    customerIsUnverified?: boolean
    /** Only if the program reviews such sales. */
    clickFromAd?: boolean
    soonAfterClick?: boolean
  }
  /** At the time of the decision; null if the event earns nothing. */
  partnerStatus: PartnerStatus | null
}

export type CommissionDecision =
  | {
      outcome: 'earned' | 'review'
      reason: 'commission_earned' | ReviewReason
      reward: Reward
      payableAt: Date
      termsVersion: number
    }
  | { outcome: 'nothing'; reason: NoReward; termsVersion: number | null }

/** What the event earns, before any review. */
export const computeReward = ({ terms, event }: Pick<CommissionFacts, 'terms' | 'event'>): Reward | NoReward => {
  if (!terms) return 'no_terms'
  if (event.kind === 'sale') return saleReward(terms, event)
  const reward = leadReward(terms)
  return event.rewardedBefore && typeof reward !== 'string' ? 'lead_already_rewarded' : reward
}

export const decideCommission = (facts: CommissionFacts): CommissionDecision => {
  const { terms, event } = facts
  const reward = computeReward(facts)
  if (!terms || typeof reward === 'string')
    return { outcome: 'nothing', reason: reward as NoReward, termsVersion: terms?.version ?? null }
  const [review] = reviewReasons(facts)
  return {
    outcome: review ? 'review' : 'earned',
    reason: review ?? 'commission_earned',
    reward,
    payableAt: payableAt(event.kind === 'lead' ? event.settledAt : event.soldAt, terms.holdDays),
    termsVersion: terms.version,
  }
}

/** `unverified_customer` comes last: confirming the customer clears it automatically, while the others need a person. */
export const reviewReasons = ({ suspicions, partnerStatus }: Omit<CommissionFacts, 'terms' | 'event'>) => {
  const checks: [ReviewReason, boolean | undefined][] = [
    ['partner_suspended', partnerStatus === 'suspended' || partnerStatus === 'rejected'],
    ['many_leads_from_one_visitor', suspicions.leadsOfVisitor > MAX_LEADS_PER_VISITOR],
    ['customer_is_partner', suspicions.customerIsPartner],
    ['click_from_ad', suspicions.clickFromAd],
    ['sale_soon_after_click', suspicions.soonAfterClick],
    ['unverified_customer', suspicions.customerIsUnverified],
  ]
  return checks.filter(([, applies]) => applies).map(([reason]) => reason)
}
