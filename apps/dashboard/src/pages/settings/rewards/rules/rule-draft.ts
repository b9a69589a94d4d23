import type { RewardRule, RewardStage, RuleConditions } from '@tributary/contract'
import { parseCents, toAmountText } from '~/components/controls/money-input.tsx'
import { amountCurrency } from '~/components/format/reward-sentences.ts'

export type ConditionName = keyof RuleConditions
export type ConditionDrafts = Partial<Record<ConditionName, string>>

export type StageDraft = {
  /** `none` only in the single stage of a rule: it pays nothing. */
  kind: 'percent' | 'flat' | 'none'
  percent: string
  flat: string
  /** Empty: the stage has no end. */
  months: string
}

/** A rule while being edited. The key stays when rules are moved. */
export type RuleDraft = {
  key: number
  when: ConditionDrafts
  pays: StageDraft[]
  maxPerSale: string
  maxPerCustomer: string
}

export const newStage = (change: Partial<StageDraft> = {}): StageDraft => ({
  kind: 'percent',
  percent: '',
  flat: '',
  months: '',
  ...change,
})

export const toRuleDraft = (rule: RewardRule, { key, currency }: { key: number; currency: string }): RuleDraft => ({
  key,
  when: toConditionDrafts(rule.when ?? {}, currency),
  pays: rule.pays.length === 0 ? [newStage({ kind: 'none' })] : rule.pays.map((stage) => toStageDraft(stage, currency)),
  maxPerSale: optionalAmount(rule.maxPerSaleCents, currency),
  maxPerCustomer: optionalAmount(rule.maxPerCustomerCents, currency),
})

const optionalAmount = (cents: number | undefined, currency: string) =>
  cents === undefined ? '' : toAmountText(cents, currency)

const toStageDraft = ({ months, percentBps, amountCents }: RewardStage, currency: string) =>
  newStage({
    months: months === undefined ? '' : String(months),
    ...(percentBps === undefined
      ? { kind: 'flat', flat: optionalAmount(amountCents, currency) }
      : { percent: String(percentBps / 100) }),
  })

const toConditionDrafts = (when: RuleConditions, currency: string): ConditionDrafts => {
  const { products, plans, currencies, countries, interval, payment, minAmountCents } = when
  return {
    ...(products && { products: products.join('\n') }),
    ...(plans && { plans: plans.join('\n') }),
    ...(interval && { interval }),
    ...(payment && { payment }),
    ...(currencies && { currencies: currencies.join(', ') }),
    ...(countries && { countries: countries.join(', ') }),
    ...(minAmountCents !== undefined && {
      minAmountCents: toAmountText(minAmountCents, amountCurrency(currencies, currency)),
    }),
  }
}

export const toRuleRequest = (rule: RuleDraft, currency: string): RewardRule => {
  const when = toConditions(rule.when, currency)
  return {
    ...(Object.keys(when).length > 0 && { when }),
    pays: rule.pays.filter(({ kind }) => kind !== 'none').map((stage) => toStage(stage, currency)),
    ...(rule.maxPerSale && { maxPerSaleCents: parseCents(rule.maxPerSale, currency) ?? 0 }),
    ...(rule.maxPerCustomer && { maxPerCustomerCents: parseCents(rule.maxPerCustomer, currency) ?? 0 }),
  }
}

const toStage = ({ kind, percent, flat, months }: StageDraft, currency: string): RewardStage => ({
  ...(months.trim() && { months: Number(months) }),
  ...(kind === 'percent'
    ? { percentBps: Math.round(Number(percent) * 100) }
    : { amountCents: parseCents(flat, currency) ?? 0 }),
})

const toConditions = (when: ConditionDrafts, currency: string): RuleConditions => ({
  // An ID may contain a comma, so each has a line.
  ...(when.products !== undefined && { products: valuesOf(when.products, '\n') }),
  ...(when.plans !== undefined && { plans: valuesOf(when.plans, '\n') }),
  ...(when.interval !== undefined && { interval: when.interval as RuleConditions['interval'] }),
  ...(when.payment !== undefined && { payment: when.payment as RuleConditions['payment'] }),
  ...(when.currencies !== undefined && { currencies: codesOf(when.currencies) }),
  ...(when.countries !== undefined && { countries: codesOf(when.countries) }),
  ...(when.minAmountCents !== undefined && {
    minAmountCents: parseCents(when.minAmountCents, minimumCurrency(when, currency)) ?? 0,
  }),
})

/** The currency in which a rule's minimum amount is entered. */
export const minimumCurrency = ({ currencies }: ConditionDrafts, currency: string) =>
  amountCurrency(currencies === undefined ? undefined : codesOf(currencies), currency)

const valuesOf = (text: string, separator: string | RegExp) =>
  text
    .split(separator)
    .map((value) => value.trim())
    .filter((value) => value !== '')

const codesOf = (text: string) => valuesOf(text.toUpperCase(), /[\s,]+/)
