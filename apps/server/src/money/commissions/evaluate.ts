import type { NoReward, Reward, Terms } from '../rewards/rewards.ts'
import { rewardOf } from './decide-commission.ts'
import { type SaleTold, type Standing, type StandingFacts, standingOf } from './standing.ts'

/** A lead that counts, and what was decided about its commission. */
export type LeadEvent = {
  kind: 'lead'
  id: number
  partnerId: number
  settledAt: Date
  /** An erased customer with the same key was paid for. */
  rewardedBefore: boolean
  review: StandingFacts['review']
}

/** A credited sale, with what has become of it. */
export type SaleEvent = SaleTold & {
  kind: 'sale'
  id: number
  partnerId: number
  currency: string
  soldAt: Date
  /** When an erased customer with the same key made the first sale that earned. */
  firstSoldBefore: Date | null
  review: StandingFacts['review']
}

/** Everything that decides what one customer earns for partners. The order of the events does not matter. */
export type CustomerFacts = {
  lead: LeadEvent | null
  sales: SaleEvent[]
  /** When an erased customer with the same key made the first sale that earned. */
  firstSoldBefore: Date | null
}

/** The terms that hold for a partner at a moment. */
export type TermsAt = (partnerId: number, at: Date) => Terms | null

export type Evaluated<Event> = {
  event: Event
  terms: Terms | null
  reward: Reward | NoReward
  /** Of what it earned: what is promised after refunds, disputes and reviews. */
  standing: Standing
  /** When the customer's first sale was made; null for a lead, and where this sale is the first. */
  firstSoldAt: Date | null
}

/**
 * What every event of a customer earns. The one rule that is about several sales is which of them was the first: the earliest
 * that earns anything, by when it was made and not by when it was told.
 */
export const evaluateCustomer = (
  { lead, sales, firstSoldBefore }: CustomerFacts,
  termsAt: TermsAt,
): { lead: Evaluated<LeadEvent> | null; sales: Evaluated<SaleEvent>[] } => {
  let firstSoldAt = firstSoldBefore
  const evaluated = inOrder(sales).map((event) => {
    const { partnerId, saleCents: amountCents, currency, soldAt } = event
    const terms = termsAt(partnerId, soldAt)
    const firstBefore = earlierOf(firstSoldAt, event.firstSoldBefore)
    const rewardAfter = (first: Date | null) =>
      rewardOf({ terms, event: { kind: 'sale', amountCents, currency, soldAt, firstSoldAt: first } })
    // A sale that earns nothing in any case does not use up what the first one earns.
    const alone = rewardAfter(null)
    const reward = typeof alone === 'string' ? alone : rewardAfter(firstBefore)
    if (typeof reward !== 'string') firstSoldAt ??= soldAt
    return { ...withStanding(event, terms, reward, event), firstSoldAt: firstBefore }
  })
  return { lead: lead && evaluateLead(lead, termsAt), sales: evaluated }
}

const evaluateLead = (event: LeadEvent, termsAt: TermsAt): Evaluated<LeadEvent> => {
  const { partnerId, settledAt, rewardedBefore } = event
  const terms = termsAt(partnerId, settledAt)
  return withStanding(event, terms, rewardOf({ terms, event: { kind: 'lead', settledAt, rewardedBefore } }), null)
}

const withStanding = <Event extends { review: StandingFacts['review'] }>(
  event: Event,
  terms: Terms | null,
  reward: Reward | NoReward,
  sale: SaleTold | null,
): Evaluated<Event> => {
  const amountCents = typeof reward === 'string' ? 0 : reward.amountCents
  const standing = standingOf({ amountCents, sale, review: event.review, isMerged: false })
  return { event, terms, reward, standing, firstSoldAt: null }
}

/** Of two sales of one moment, the one with the lower number is the first. */
const inOrder = (sales: SaleEvent[]) => sales.toSorted((a, b) => a.soldAt.getTime() - b.soldAt.getTime() || a.id - b.id)

const earlierOf = (a: Date | null, b: Date | null) => (a && b ? (a < b ? a : b) : (a ?? b))
