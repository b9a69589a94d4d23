import type { RewardRule, RewardWarning, RuleConditions } from '@tributary/contract'

/** Rules that an earlier one always decides before, and stages that no sale can reach. */
export const warningsOf = (rules: RewardRule[]): RewardWarning[] =>
  rules.flatMap((rule, index): RewardWarning[] => {
    if (isCovered(rule.when ?? {}, rules.slice(0, index)))
      return [
        {
          code: 'rule_never_matches',
          rule: index + 1,
          message: `Rule ${index + 1} never matches, because earlier rules decide about everything that it matches. Move it up, or remove it.`,
        },
      ]
    // The first sale of a customer is always in the first stage.
    if (rule.when?.payment !== 'first') return []
    return rule.pays.slice(1).map((_, stage) => ({
      code: 'stage_never_reached',
      rule: index + 1,
      stage: stage + 2,
      message: `Stage ${stage + 2} of rule ${index + 1} is never reached, because the rule pays only for a customer’s first sale.`,
    }))
  })

/** Every sale is either the first or a renewal, so one rule for each covers both. */
const isCovered = (conditions: RuleConditions, earlier: RewardRule[]) =>
  (conditions.payment ? [conditions.payment] : (['first', 'renewal'] as const)).every((payment) =>
    earlier.some(({ when = {} }) => covers(when, { ...conditions, payment })),
  )

/** Whether everything that matches `narrow` matches `wide` too. */
const covers = (wide: RuleConditions, narrow: RuleConditions) =>
  includes(wide.products, narrow.products) &&
  includes(wide.plans, narrow.plans) &&
  includes(wide.currencies, narrow.currencies) &&
  includes(wide.countries, narrow.countries) &&
  (wide.interval ?? narrow.interval) === narrow.interval &&
  (wide.payment ?? narrow.payment) === narrow.payment &&
  (wide.minAmountCents === undefined || wide.minAmountCents <= (narrow.minAmountCents ?? 0))

const includes = (wide: string[] | undefined, narrow: string[] | undefined) =>
  wide === undefined || (narrow?.every((value) => wide.includes(value)) ?? false)
