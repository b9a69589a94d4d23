import { z } from 'zod'
import { identifier, positiveCents } from '../../fields.ts'
import { currency } from '../currency.ts'

export const MAX_REWARD_RULES = 50
export const MAX_REWARD_STAGES = 12
/** Values of one condition, such as products. */
export const MAX_RULE_VALUES = 100

/** How often an item is billed. */
export const INTERVALS = ['one_time', 'month', 'year'] as const
export type Interval = (typeof INTERVALS)[number]

const oneOrMore = <Value extends z.ZodType<string>>(value: Value) =>
  z
    .array(value, 'must be a list')
    .min(1, 'must not be empty; leave the condition out if it does not matter')
    .max(MAX_RULE_VALUES, `must be at most ${MAX_RULE_VALUES} values`)
    .refine((values) => new Set(values).size === values.length, 'must not list a value twice')

const when = z
  .strictObject({
    products: oneOrMore(identifier).describe('The item is one of these products, by `product_id`'),
    plans: oneOrMore(identifier).describe('The item is one of these plans or prices, by `plan_id`'),
    interval: z
      .enum(INTERVALS, 'must be one_time, month or year')
      .describe('The item is billed once, monthly or yearly'),
    payment: z
      .enum(['first', 'renewal'], 'must be first or renewal')
      .describe("The sale is the customer's first, or a later one"),
    currencies: oneOrMore(currency).describe('The sale is in one of these currencies'),
    countries: oneOrMore(
      z.string('must be a string').regex(/^[A-Z]{2}$/, 'must be a country code such as US'),
    ).describe("The lead's click came from one of these countries"),
    minAmountCents: positiveCents.describe(
      'The sale without tax is at least this amount, in minor units of its currency',
    ),
  })
  .partial()
export type RuleConditions = z.infer<typeof when>

const stage = z.strictObject({
  months: z
    .int()
    .min(1, 'must be at least 1')
    .max(120, 'must be at most 120')
    .optional()
    .describe(
      "Length of the stage. The first begins with the customer's first sale, and each next one where the one before ends. The last stage can leave it out and then has no end",
    ),
  percentBps: z
    .int()
    .min(1, 'must be at least 1')
    .max(10_000, 'must be at most 10000 (100%)')
    .optional()
    .describe('Percentage of each matching item in basis points: 2000 is 20%. Send this or `amountCents`'),
  amountCents: positiveCents
    .optional()
    .describe(
      "Flat amount in minor units, once per sale, for the first item that matches the rule. In a list that also has percentages, it pays only for sales in the program's currency",
    ),
})
export type RewardStage = z.infer<typeof stage>

export const rewardRule = z.strictObject({
  when: when.optional().describe('All of these conditions must hold. Left out or empty: the rule matches everything'),
  pays: z
    .array(stage, 'must be a list')
    .describe('Stages, counted from the first sale of the customer. Empty: the rule matches and pays nothing'),
  maxPerSaleCents: positiveCents
    .optional()
    .describe('The most that the rule pays for one sale, in minor units of the commission'),
  maxPerCustomerCents: positiveCents
    .optional()
    .describe(
      'The most that the rule pays one partner for all sales of one customer, in minor units of the commission. A reversal makes room for later sales',
    ),
})
export type RewardRule = z.infer<typeof rewardRule>

const requestedStage = stage.refine((one) => (one.percentBps === undefined) !== (one.amountCents === undefined), {
  message: 'must have exactly one of percentBps and amountCents',
})

const requestedRule = rewardRule
  .extend({
    pays: z
      .array(requestedStage, 'must be a list')
      .max(MAX_REWARD_STAGES, `must be at most ${MAX_REWARD_STAGES} stages`)
      .describe('Stages, counted from the first sale of the customer. Empty: the rule matches and pays nothing'),
  })
  .refine(({ pays }) => pays.slice(0, -1).every(({ months }) => months !== undefined), {
    message: 'has overlapping stages: only the last stage can leave out months',
    path: ['pays'],
  })
  .refine(({ when: conditions, pays }) => pays.length > 0 || Object.keys(conditions ?? {}).length > 0, {
    message: 'has no effect: it pays nothing and has no conditions. Add a stage, or remove the rule',
    path: ['pays'],
  })
  .refine(
    ({ pays, maxPerSaleCents, maxPerCustomerCents }) =>
      pays.length > 0 || (maxPerSaleCents === undefined && maxPerCustomerCents === undefined),
    { message: 'has no effect: a rule that pays nothing needs no maximum', path: ['pays'] },
  )

export const requestedRules = z
  .array(requestedRule, 'must be a list of rules')
  .min(1, 'must have at least one rule. Send `sale: null` if sales earn nothing')
  .max(MAX_REWARD_RULES, `must be at most ${MAX_REWARD_RULES} rules`)
  .refine((rules) => rules.some(({ pays }) => pays.length > 0), {
    message: 'have no effect: none of them pays anything. Send `sale: null` if sales earn nothing',
  })
  .describe('The first rule whose conditions match decides, for each item of a sale on its own')

/** Today's fields of a sale reward: one rule without further conditions. */
export type SimpleSaleReward = {
  percentBps?: number | undefined
  amountCents?: number | undefined
  duration?: 'first' | 'months' | 'lifetime' | undefined
  months?: number | undefined
}

/** The same reward as a list of rules. */
export const rulesOfSimple = ({ percentBps, amountCents, duration, months }: SimpleSaleReward): RewardRule[] => {
  const pays = [
    {
      ...(duration === 'months' && { months }),
      ...(percentBps === undefined ? { amountCents } : { percentBps }),
    },
  ]
  return [duration === 'first' ? { when: { payment: 'first' }, pays } : { pays }]
}

/** Today's fields, if one rule without conditions says the same. */
export const simpleOfRules = (rules: RewardRule[]): (SimpleSaleReward & { duration: 'months' | 'lifetime' }) | null => {
  const [rule, ...more] = rules
  const [only, ...later] = rule?.pays ?? []
  if (!rule || !only || more.length + later.length > 0 || Object.keys(rule.when ?? {}).length > 0) return null
  if (rule.maxPerSaleCents !== undefined || rule.maxPerCustomerCents !== undefined) return null
  const { months, percentBps, amountCents } = only
  return {
    ...(percentBps === undefined ? { amountCents } : { percentBps }),
    ...(months === undefined ? { duration: 'lifetime' as const } : { duration: 'months' as const, months }),
  }
}

/** A rule or stage that is saved although it can never pay. Numbers count from 1. */
export const rewardWarning = z.strictObject({
  code: z.enum(['rule_never_matches', 'stage_never_reached', 'product_not_seen', 'plan_not_seen']),
  rule: z.int().describe('The rule, counted from 1'),
  stage: z.int().optional().describe('The stage of the rule, counted from 1'),
  value: z.string().optional().describe('The product or plan that no sale has had yet'),
  message: z.string(),
})
export type RewardWarning = z.infer<typeof rewardWarning>
