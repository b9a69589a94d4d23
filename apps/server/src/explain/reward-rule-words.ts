import {
  type ItemReward,
  type Part,
  type Step,
  say,
  type UnmatchedReason,
  type UnpaidReason,
} from '@tributary/contract'
import type { CorrectionFacts } from '../money/commissions/commission-rules.ts'
import { type CommissionFacts, currencyOfReward, hasRules, type Terms } from '../money/rewards/rewards.ts'
import { showRules } from '../money/rewards/show-rules.ts'
import type { Decision } from './decisions.ts'
import { toStep } from './parts.ts'
import type { Words } from './words.ts'

const UNMATCHED: Record<UnmatchedReason, string> = {
  other_product: 'it is about other products',
  other_plan: 'it is about other plans',
  other_interval: 'it is about another billing interval',
  not_first_payment: 'it is about first sales only',
  first_payment: 'it is about later sales only',
  other_currency: 'it is about other currencies',
  other_country: 'it is about other countries',
  amount_below_minimum: 'the sale is below its minimum',
}

const UNPAID: Record<UnpaidReason, string> = {
  no_rule_matches: 'No rule matches',
  rule_pays_nothing: 'it pays nothing',
  stages_over: 'its last stage had ended',
  flat_paid_once: 'its flat amount is paid once per sale',
  flat_in_other_currency: 'its flat amount is in a different currency',
  rounds_to_zero: 'the amount is zero',
}

/** A correction can change what was sold, or which sale was first. */
const calculatedIn = ({ rule, facts }: Decision): Pick<CommissionFacts, 'terms' | 'event'> | null => {
  if (rule === 'commission') return facts as CommissionFacts
  return rule === 'correction' ? ((facts as CorrectionFacts).recalculated ?? null) : null
}

/** Which rule decided about each item of a sale, why earlier rules did not, and which maximum cut it. */
export const describeRules = (decisions: Decision[], words: Words): Step[] => {
  const decided = decisions.findLast((one) => calculatedIn(one) !== null)
  const { terms, event } = (decided && calculatedIn(decided)) ?? { terms: null, event: null }
  if (event?.kind !== 'sale' || !terms || !hasRules(terms)) return []
  const { items, rules } = showRules(terms, event)
  const cuts = rules.flatMap(({ rule: number, cutBy, earnedCents, paidCents }) =>
    cutBy === null
      ? []
      : [
          toStep(
            'fact',
            'rule_maximum',
            say`The maximum per ${cutBy} of rule ${number} cut ${words.reward({ amountCents: earnedCents, currency: currencyOfReward(terms, event.currency) })} to ${words.reward({ amountCents: paidCents, currency: currencyOfReward(terms, event.currency) })}.`,
          ),
        ],
  )
  return [...items.map((item) => describeItem(item, { event, terms }, words)), ...cuts]
}

type SaleByRules = { event: Extract<CommissionFacts['event'], { kind: 'sale' }>; terms: Terms }

const describeItem = (item: ItemReward, { event, terms }: SaleByRules, words: Words): Step => {
  const { productId, planId, amountCents, rule, stage, percentBps, flatCents, reason, skipped } = item
  const what = say`${nameOf({ productId, planId }, words)} of ${words.money(amountCents, event.currency)}`
  const earlier = words.isPartner
    ? ''
    : skipped.map((one) => ` Rule ${one.rule} did not match, because ${UNMATCHED[one.reason]}.`).join('')
  if (rule === null) return toStep('fact', 'rule_unmatched', say`${what} matched no rule.${earlier}`)
  const stages = terms.saleRules?.[rule - 1]?.pays.length ?? 0
  const inStage = stage !== null && stages > 1 ? `, stage ${stage},` : ''
  if (reason) return toStep('fact', 'rule_matched', say`${what} matched rule ${rule}, but ${UNPAID[reason]}.${earlier}`)
  const rate =
    percentBps === null
      ? words.reward({ amountCents: flatCents ?? 0, currency: currencyOfReward(terms, event.currency) })
      : `${percentBps / 100}%`
  return toStep('fact', 'rule_matched', say`${what} matched rule ${rule}${inStage} which pays ${rate}.${earlier}`)
}

/** An ID is code, which keeps its case at the start of a sentence. */
const nameOf = ({ productId, planId }: Pick<ItemReward, 'productId' | 'planId'>, words: Words): Part[] => {
  if (productId === null) return say`The rest`
  if (words.isPartner) return say`An item`
  const product: Part = { type: 'code', text: productId }
  return planId === null ? [product] : say`${product} (${{ type: 'code', text: planId }})`
}
