import { computeReward, type NoReward, type Reward, type SaleAmounts, type Terms } from '../rewards/rewards.ts'
import {
  isSetAside,
  type ManualDecisions,
  type Standing,
  type StandingFacts,
  standingOf,
  UNTOUCHED,
} from './commission-rules.ts'

/** A settled lead and the review of its commission. */
export type LeadEvent = {
  kind: 'lead'
  id: number
  partnerId: number
  settledAt: Date
  /** An erased customer with the same key already earned a lead commission. */
  rewardedBefore: boolean
  review: StandingFacts['review']
  manual: ManualDecisions
}

/** A credited sale with its refunds, disputes and review. */
export type SaleEvent = SaleAmounts & {
  kind: 'sale'
  id: number
  partnerId: number
  currency: string
  soldAt: Date
  /** The first earning sale of an erased customer with this sale's key. Counts for this sale only. */
  firstSoldBefore: Date | null
  review: StandingFacts['review']
  manual: ManualDecisions
}

/** A sale that a member credited or moved to a partner. `id` is the adjustment's. */
export type CreditedEvent = Omit<SaleEvent, 'kind' | 'firstSoldBefore'> & {
  kind: 'credited'
  /** The sale was merged into a sale of another program. */
  isMerged: boolean
}

/** Everything that decides what one customer's events earn. Their order does not matter. */
export type CustomerFacts = {
  lead: LeadEvent | null
  sales: SaleEvent[]
  /** The first earning sale of an erased customer with the lead's key. Counts for all sales. */
  firstSoldBefore: Date | null
}

export type TermsAt = (partnerId: number, at: Date) => Terms | null

export type Evaluation<Event> = {
  event: Event
  terms: Terms | null
  reward: Reward | NoReward
  /** After refunds, disputes and reviews. */
  standing: Standing
  /** Date of the customer's first sale; null for leads and for the first sale itself. */
  firstSoldAt: Date | null
}

/**
 * What each event of a customer earns. The only rule that spans several sales is which one is first: the earliest sale that earns
 * anything, by sale date rather than by when it was reported.
 */
export const evaluateCustomer = (
  { lead, sales, firstSoldBefore }: CustomerFacts,
  termsAt: TermsAt,
): { lead: Evaluation<LeadEvent> | null; sales: Evaluation<SaleEvent>[] } => {
  let firstSoldAt = firstSoldBefore
  const evaluated = inOrder(sales).map((event) => {
    const { partnerId, saleCents: amountCents, currency, soldAt } = event
    const terms = termsAt(partnerId, soldAt)
    const firstBefore = earlierOf(firstSoldAt, event.firstSoldBefore)
    const rewardAfter = (first: Date | null) =>
      computeReward({ terms, event: { kind: 'sale', amountCents, currency, soldAt, firstSoldAt: first } })
    // A sale that could never earn does not count as the first sale.
    const alone = rewardAfter(null)
    const reward = typeof alone === 'string' ? alone : rewardAfter(firstBefore)
    if (typeof reward !== 'string') firstSoldAt ??= soldAt
    return { ...withStanding(event, terms, reward, event), firstSoldAt: firstBefore }
  })
  return { lead: lead && evaluateLead(lead, termsAt), sales: evaluated }
}

const evaluateLead = (event: LeadEvent, termsAt: TermsAt): Evaluation<LeadEvent> => {
  const { partnerId, settledAt, rewardedBefore } = event
  const terms = termsAt(partnerId, settledAt)
  return withStanding(event, terms, computeReward({ terms, event: { kind: 'lead', settledAt, rewardedBefore } }), null)
}

/**
 * What a sale earns that a member credited or moved to a partner. The member decided that it pays, so it pays as a first sale,
 * whatever the customer bought before: no other event can change it, and it changes no other.
 */
export const evaluateCredited = (event: CreditedEvent, termsAt: TermsAt): Evaluation<CreditedEvent> => {
  const { partnerId, saleCents: amountCents, currency, soldAt } = event
  const terms = termsAt(partnerId, soldAt)
  const reward = computeReward({ terms, event: { kind: 'sale', amountCents, currency, soldAt, firstSoldAt: null } })
  return withStanding(event, terms, reward, event)
}

type NewSale = Pick<SaleEvent, 'partnerId' | 'currency' | 'soldAt'> & {
  programId: number
  clickId: string
  saleId: number
  amountCents: number
  reward: { terms: Terms | null }
  /** Other sales of the customer. */
  first?: { firstSoldAt: Date | null } | undefined
}

/** When the customer of each new sale made the first earning one, which is recorded already or one of these. By sale ID. */
export const findFirstSaleTimes = (sales: NewSale[]) => {
  const byCustomer = Map.groupBy(sales, ({ programId, clickId }) => `${programId} ${clickId}`)
  const evaluated = [...byCustomer.values()].flatMap((ofCustomer) => {
    const terms = new Map(ofCustomer.map((sale) => [termsKey(sale.partnerId, sale.soldAt), sale.reward.terms]))
    const customer = { lead: null, firstSoldBefore: null, sales: ofCustomer.map(toSaleEvent) }
    return evaluateCustomer(customer, (partnerId, soldAt) => terms.get(termsKey(partnerId, soldAt)) ?? null).sales
  })
  return new Map(evaluated.map(({ event, firstSoldAt }) => [event.id, firstSoldAt]))
}

const termsKey = (partnerId: number, soldAt: Date) => `${partnerId} ${soldAt.getTime()}`

const toSaleEvent = ({
  saleId: id,
  partnerId,
  amountCents: saleCents,
  currency,
  soldAt,
  first,
}: NewSale): SaleEvent => ({
  kind: 'sale',
  id,
  partnerId,
  saleCents,
  refundedCents: 0,
  openCents: 0,
  lostCents: 0,
  currency,
  soldAt,
  firstSoldBefore: first?.firstSoldAt ?? null,
  review: 'none',
  manual: UNTOUCHED,
})

type Decided = { review: StandingFacts['review']; manual: ManualDecisions; isMerged?: boolean }

const withStanding = <Event extends Decided>(
  event: Event,
  terms: Terms | null,
  reward: Reward | NoReward,
  sale: SaleAmounts | null,
): Evaluation<Event> => {
  const amountCents = typeof reward === 'string' ? 0 : reward.amountCents
  const { review, manual, isMerged = false } = event
  const standing = standingOf({ amountCents, sale, review, isMerged, isSetAside: isSetAside(manual) })
  return { event, terms, reward, standing, firstSoldAt: null }
}

/** Sales at the same time are ordered by id. */
const inOrder = (sales: SaleEvent[]) => sales.toSorted((a, b) => a.soldAt.getTime() - b.soldAt.getTime() || a.id - b.id)

const earlierOf = (a: Date | null, b: Date | null) => (a && b ? (a < b ? a : b) : (a ?? b))
