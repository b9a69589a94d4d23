import type { ItemReward, RuleReward } from '@tributary/contract'
import { rulesOfTerms } from './requested-terms.ts'
import type { Terms } from './rewards.ts'
import { applyRules, type SaleForRules, skippedRules } from './rules.ts'

/** Which rule decided about each item of a sale, why earlier ones did not, and what each rule paid. Counts from 1. */
export const showRules = (terms: Terms, sale: SaleForRules): { items: ItemReward[]; rules: RuleReward[] } => {
  const list = { saleRules: rulesOfTerms(terms), currency: terms.currency }
  const { items, rules } = applyRules(list, sale)
  return {
    items: items.map((decision) => {
      const { item, rule, stage, reason } = decision
      const paying = stage === null ? undefined : list.saleRules[rule ?? -1]?.pays[stage]
      return {
        ...item,
        rule: numberOf(rule),
        stage: numberOf(stage),
        percentBps: paying?.percentBps ?? null,
        flatCents: paying?.amountCents ?? null,
        reason,
        skipped: skippedRules(list, sale, decision).map((one) => ({ ...one, rule: one.rule + 1 })),
      }
    }),
    rules: rules.map((one) => ({ ...one, rule: one.rule + 1 })),
  }
}

const numberOf = (position: number | null) => (position === null ? null : position + 1)
