import type { Interval, RewardRule, RuleConditions, UnmatchedReason, UnpaidReason } from '@tributary/contract'
import { addMonths } from './months.ts'

/**
 * The one function that decides about rules. The first rule whose conditions match decides, for each item on its own; the commission is
 * the sum, rounded once. Exact: parts are counted in ten-thousandths of a minor unit until then.
 */

export type SoldItem = {
  productId: string | null
  planId: string | null
  interval: Interval | null
  amountCents: number
}

/** `totalCents`: what the parts are parts of, with or without tax as they are. The rest of it is an item without a product. */
export type SaleItems = { totalCents: number; parts: SoldItem[] }

export type SaleForRules = {
  /** Without tax. */
  amountCents: number
  currency: string
  soldAt: Date
  /** When the customer bought for the first time; null if this is that sale. */
  firstSoldAt: Date | null
  /** Left out if nothing is known about what was sold. */
  items?: SaleItems
  /** Of the lead's click. Left out if it is unknown or no rule looks at it. */
  country?: string
  /** What earlier sales of the customer have left under rules with a maximum per customer. */
  used?: UsedRule[]
}

/** `rule`: position in the list. */
export type UsedRule = { rule: number; cents: number }

type Rules = { saleRules: RewardRule[]; currency: string }

/** What one item earns, and by which rule and stage; both are positions. */
export type ItemDecision = {
  item: SoldItem
  rule: number | null
  stage: number | null
  reason: UnpaidReason | null
}

/** What one rule pays for a sale. `paidCents` of all rules add up to the commission. */
export type RuleDecision = { rule: number; earnedCents: number; paidCents: number; cutBy: 'sale' | 'customer' | null }

export type RulesDecision = {
  amountCents: number
  currency: string
  items: ItemDecision[]
  rules: RuleDecision[]
}

/** Basis points of a minor unit. */
const UNITS = 10_000n

export const applyRules = (terms: Rules, sale: SaleForRules): RulesDecision => {
  const currency = currencyOfRules(terms, sale.currency)
  const units = new Map<number, bigint>()
  const items = itemsOfSale(sale).map((item) => decideItem(terms, sale, item, units))
  const capped = [...units]
    .toSorted(([a], [b]) => a - b)
    .map(([rule, earned]) => ({ rule, earned, ...cut(terms, sale, { rule, earned }) }))
  const amountCents = Number(roundHalfUp(capped.reduce((sum, { paid }) => sum + paid, 0n)))
  const parts = wholeParts(
    capped.map(({ paid }) => paid),
    amountCents,
  )
  const rules = capped.map(({ rule, earned, cutBy }, index) => ({
    rule,
    earnedCents: Number(roundHalfUp(earned)),
    paidCents: parts[index] ?? 0,
    cutBy,
  }))
  return { amountCents, currency, items, rules }
}

/** Depends only on the list and the sale's currency, because the currency of a commission can never change. */
export const currencyOfRules = ({ saleRules, currency }: Rules, saleCurrency: string) =>
  saleRules.some(({ pays }) => pays.some(({ percentBps }) => percentBps !== undefined)) ? saleCurrency : currency

/** Adds what the item earns to the units of its rule. */
const decideItem = (
  { saleRules, currency }: Rules,
  sale: SaleForRules,
  item: SoldItem,
  units: Map<number, bigint>,
): ItemDecision => {
  const index = saleRules.findIndex(({ when }) => whyUnmatched(when, sale, item) === null)
  const rule = saleRules[index]
  if (!rule) return { item, rule: null, stage: null, reason: 'no_rule_matches' }
  const number = stageAt(rule, sale)
  const stage = number === null ? undefined : rule.pays[number]
  const decided = (reason: UnpaidReason | null) => ({ item, rule: index, stage: number, reason })
  if (!stage) return decided(rule.pays.length === 0 ? 'rule_pays_nothing' : 'stages_over')
  if (item.amountCents === 0) return decided('rounds_to_zero')
  const earned = units.get(index)
  if (stage.percentBps !== undefined) {
    units.set(index, (earned ?? 0n) + BigInt(item.amountCents) * BigInt(stage.percentBps))
    return decided(null)
  }
  if (earned !== undefined) return decided('flat_paid_once')
  // Minor units of two currencies cannot be added.
  if (currencyOfRules({ saleRules, currency }, sale.currency) !== currency) return decided('flat_in_other_currency')
  units.set(index, BigInt(stage.amountCents ?? 0) * UNITS)
  return decided(null)
}

/** Why a rule does not match an item of a sale; null if it does. */
export const whyUnmatched = (
  when: RuleConditions | undefined,
  { amountCents, currency, firstSoldAt, country }: Omit<SaleForRules, 'soldAt'>,
  { productId, planId, interval }: SoldItem,
): UnmatchedReason | null => {
  if (!when) return null
  const { products, plans, currencies, countries, payment, minAmountCents } = when
  const isFirst = firstSoldAt === null
  if (payment === 'first' && !isFirst) return 'not_first_payment'
  if (payment === 'renewal' && isFirst) return 'first_payment'
  if (products && !(productId !== null && products.includes(productId))) return 'other_product'
  if (plans && !(planId !== null && plans.includes(planId))) return 'other_plan'
  if (when.interval && when.interval !== interval) return 'other_interval'
  if (currencies && !currencies.includes(currency)) return 'other_currency'
  if (countries && !(country !== undefined && countries.includes(country))) return 'other_country'
  if (minAmountCents !== undefined && amountCents < minAmountCents) return 'amount_below_minimum'
  return null
}

/** The stage that a sale falls into; null if the last one has ended or there is none. */
const stageAt = ({ pays }: RewardRule, { soldAt, firstSoldAt }: SaleForRules): number | null => {
  let months = 0
  for (const [index, stage] of pays.entries()) {
    if (stage.months === undefined) return index
    months += stage.months
    if (firstSoldAt === null || soldAt < addMonths(firstSoldAt, months)) return index
  }
  return null
}

const cut = (
  { saleRules }: Rules,
  { used = [] }: SaleForRules,
  { rule, earned }: { rule: number; earned: bigint },
): { paid: bigint; cutBy: RuleDecision['cutBy'] } => {
  const { maxPerSaleCents, maxPerCustomerCents } = saleRules[rule] ?? {}
  const ofSale = maxPerSaleCents === undefined ? earned : least(earned, BigInt(maxPerSaleCents) * UNITS)
  if (maxPerCustomerCents === undefined) return { paid: ofSale, cutBy: ofSale < earned ? 'sale' : null }
  const usedCents = used.find((one) => one.rule === rule)?.cents ?? 0
  const paid = least(ofSale, BigInt(Math.max(0, maxPerCustomerCents - usedCents)) * UNITS)
  return { paid, cutBy: paid < ofSale ? 'customer' : ofSale < earned ? 'sale' : null }
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)

const roundHalfUp = (units: bigint) => (2n * units + UNITS) / (2n * UNITS)

/** Rounds each part down, and gives what is missing from the total to the parts that lost most. */
const wholeParts = (units: bigint[], total: number): number[] => {
  const parts = units.map((one) => Number(one / UNITS))
  return giveMissing(
    parts,
    units.map((one) => one % UNITS),
    total,
  )
}

/** The items without tax, which is spread over them in proportion. */
export const itemsOfSale = ({ items, amountCents }: Pick<SaleForRules, 'items' | 'amountCents'>): SoldItem[] => {
  if (!items || items.parts.length === 0) return [{ ...NO_PRODUCT, amountCents }]
  const restCents = items.totalCents - items.parts.reduce((sum, part) => sum + part.amountCents, 0)
  const all = restCents > 0 ? [...items.parts, { ...NO_PRODUCT, amountCents: restCents }] : items.parts
  const gross = all.map((item) => item.amountCents)
  const net = withoutShare(gross, amountCents)
  return all.map((item, index) => ({ ...item, amountCents: net[index] ?? 0 }))
}

const NO_PRODUCT = { productId: null, planId: null, interval: null }

/** Takes the difference off the parts in proportion, by largest remainder, so that they add up to the sale exactly. */
const withoutShare = (parts: number[], amountCents: number): number[] => {
  const total = parts.reduce((sum, part) => sum + part, 0)
  if (total === amountCents) return parts
  if (total === 0) return parts.map((_, index) => (index === 0 ? amountCents : 0))
  if (total < amountCents) return spread(amountCents, parts)
  const taken = spread(total - amountCents, parts)
  return parts.map((part, index) => part - (taken[index] ?? 0))
}

/** Splits an amount in proportion to the parts. The largest remainders are rounded up. */
const spread = (amountCents: number, parts: number[]): number[] => {
  const total = BigInt(parts.reduce((sum, part) => sum + part, 0))
  const products = parts.map((part) => BigInt(amountCents) * BigInt(part))
  const shares = products.map((product) => Number(product / total))
  return giveMissing(
    shares,
    products.map((product) => product % total),
    amountCents,
  )
}

/** Of equal remainders, the first counts. */
const giveMissing = (parts: number[], remainders: bigint[], total: number): number[] => {
  const missing = total - parts.reduce((sum, part) => sum + part, 0)
  if (missing === 0) return parts
  const byRemainder = remainders
    .map((remainder, index) => ({ remainder, index }))
    .toSorted((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder < b.remainder ? 1 : -1))
  const lucky = new Set(byRemainder.slice(0, missing).map(({ index }) => index))
  return parts.map((part, index) => (lucky.has(index) ? part + 1 : part))
}

/** The earlier rules, and why they do not match an item. */
export const skippedRules = ({ saleRules }: Pick<Rules, 'saleRules'>, sale: SaleForRules, decision: ItemDecision) =>
  saleRules.slice(0, decision.rule ?? saleRules.length).flatMap(({ when }, rule) => {
    const reason = whyUnmatched(when, sale, decision.item)
    return reason === null ? [] : [{ rule, reason }]
  })
