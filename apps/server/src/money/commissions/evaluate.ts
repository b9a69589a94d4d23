import {
  computeReward,
  currencyOfReward,
  hasRules,
  type NoReward,
  type Reward,
  reversedCents,
  type SaleAmounts,
  type Terms,
} from '../rewards/rewards.ts'
import { applyRules, type SaleForRules, type SaleItems, type UsedRule } from '../rewards/rules.ts'
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
  /** Null if nothing is known about what was sold. */
  items: SaleItems | null
  /** Of the lead's click; null if it is unknown or no rule looks at it. */
  country: string | null
  /** What the commission has lost, from when; oldest first. */
  losses: Loss[]
  /** The first earning sale of an erased customer with this sale's key. Counts for this sale only. */
  firstSoldBefore: Date | null
  /** The same for the first sale of all, if it is not among the events. */
  firstEverBefore?: Date | null
  review: StandingFacts['review']
  manual: ManualDecisions
}

/** From `lostAt` on, this part of the sale is refunded or lost in disputes, or all of it if the commission is over. */
export type Loss = { lostAt: Date; saleCents: number; lostCents: number; isOver: boolean }

/** A sale that a member credited or moved to a partner. `id` is the adjustment's. */
export type CreditedEvent = Omit<SaleEvent, 'kind' | 'firstSoldBefore' | 'firstEverBefore' | 'losses'> & {
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
  /** What earlier sales have left under rules with a maximum per customer. */
  used?: UsedRule[]
}

/**
 * What each event of a customer earns. Two things span several sales, by sale date rather than by when they were reported: which one is
 * first, and what earlier ones have left of a maximum per customer. First is the earliest sale that earns anything or, for terms with
 * rules, the earliest sale.
 */
export const evaluateCustomer = (
  { lead, sales, firstSoldBefore }: CustomerFacts,
  termsAt: TermsAt,
): { lead: Evaluation<LeadEvent> | null; sales: Evaluation<SaleEvent>[] } => {
  let firstSoldAt = firstSoldBefore
  let firstEverAt = firstSoldBefore
  const maximums = createMaximums()
  const evaluated = inOrder(sales).map((event) => {
    const terms = termsAt(event.partnerId, event.soldAt)
    const isByRules = terms !== null && hasRules(terms)
    const firstBefore = isByRules
      ? earlierOf(firstEverAt, event.firstEverBefore ?? event.firstSoldBefore)
      : earlierOf(firstSoldAt, event.firstSoldBefore)
    const used = maximums.usedBefore(event, terms)
    const rewardAfter = (first: Date | null) => computeReward({ terms, event: factsOfSale(event, terms, first, used) })
    // A sale that could never earn does not count as the first sale.
    const alone = isByRules ? null : rewardAfter(null)
    const reward = typeof alone === 'string' ? alone : rewardAfter(firstBefore)
    if (typeof reward !== 'string') firstSoldAt ??= event.soldAt
    firstEverAt ??= event.soldAt
    maximums.add(event, terms, firstBefore, used)
    return { ...withStanding(event, terms, reward, event), firstSoldAt: firstBefore, ...(used && { used }) }
  })
  return { lead: lead && evaluateLead(lead, termsAt), sales: evaluated }
}

type SoldEvent = Pick<SaleEvent, 'saleCents' | 'currency' | 'soldAt' | 'items' | 'country'>

/** Everything about a sale that decides what it earns. Only rules look at what was sold, and where. */
export const factsOfSale = (
  { saleCents: amountCents, currency, soldAt, items, country }: SoldEvent,
  terms: Terms | null,
  firstSoldAt: Date | null,
  used?: UsedRule[],
): { kind: 'sale' } & SaleForRules => ({
  kind: 'sale',
  amountCents,
  currency,
  soldAt,
  firstSoldAt,
  ...(terms && hasRules(terms) && { ...(items && { items }), ...(country && { country }), ...(used && { used }) }),
})

/** What a sale paid under rules with these conditions, in whatever version of the terms. */
type PaidPart = { event: SaleEvent; conditions: string; currency: string; paidCents: number }

/** What is used of maximums per customer: by partner, currency and the conditions of the rule. */
const createMaximums = () => {
  const parts: PaidPart[] = []
  return {
    /** Left out if no rule has a maximum per customer. */
    usedBefore: (event: SaleEvent, terms: Terms | null): UsedRule[] | undefined => {
      if (!terms || !hasRules(terms)) return undefined
      const { saleRules } = terms
      if (!saleRules.some(({ maxPerCustomerCents }) => maxPerCustomerCents !== undefined)) return undefined
      const currency = currencyOfReward(terms, event.currency)
      const own = parts.filter((part) => part.event.partnerId === event.partnerId && part.currency === currency)
      return saleRules.flatMap(({ when, maxPerCustomerCents }, rule) => {
        if (maxPerCustomerCents === undefined) return []
        const cents = own
          .filter(({ conditions }) => conditions === nameOf(when))
          .reduce((sum, part) => sum + keptAt(part, event.soldAt), 0)
        return cents > 0 ? [{ rule, cents }] : []
      })
    },
    add: (event: SaleEvent, terms: Terms | null, firstSoldAt: Date | null, used: UsedRule[] | undefined) => {
      if (!terms) return
      const sale = factsOfSale(event, terms, firstSoldAt, used)
      if (hasRules(terms)) {
        const { rules, currency } = applyRules(terms, sale)
        for (const { rule, paidCents } of rules)
          parts.push({ event, conditions: nameOf(terms.saleRules[rule]?.when), currency, paidCents })
        return
      }
      const reward = computeReward({ terms, event: sale })
      if (typeof reward === 'string') return
      const conditions = nameOf(terms.saleDuration === 'first' ? { payment: 'first' } : undefined)
      parts.push({ event, conditions, currency: reward.currency, paidCents: reward.amountCents })
    },
  }
}

/** Rules with equal conditions count together, so that saving terms again does not start a maximum anew. */
const nameOf = (when: object | undefined) =>
  JSON.stringify(Object.entries(when ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** What a sale had left at the time of a later one. */
const keptAt = ({ event, paidCents }: PaidPart, at: Date): number => {
  const { losses, saleCents, refundedCents, lostCents, review, manual } = event
  // Reversed before losses were recorded.
  const isOver = review === 'rejected' || isSetAside(manual)
  const known = { saleCents, lostCents: Math.min(saleCents, refundedCents + lostCents), isOver }
  const loss = losses.length === 0 ? known : losses.findLast(({ lostAt }) => lostAt < at)
  if (!loss) return paidCents
  return loss.isOver ? 0 : paidCents - reversedCents(paidCents, loss.lostCents, loss.saleCents)
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
  const terms = termsAt(event.partnerId, event.soldAt)
  return withStanding(event, terms, computeReward({ terms, event: factsOfSale(event, terms, null) }), event)
}

type NewSale = Pick<SaleEvent, 'partnerId' | 'currency' | 'soldAt'> & {
  programId: number
  clickId: string
  saleId: number
  amountCents: number
  items?: SaleItems | null | undefined
  reward: { terms: Terms | null }
  /** Other sales of the customer. */
  first?: { firstSoldAt: Date | null; firstEverAt: Date | null } | undefined
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
  items = null,
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
  items,
  country: null,
  losses: [],
  firstSoldBefore: first?.firstSoldAt ?? null,
  firstEverBefore: first?.firstEverAt ?? null,
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
