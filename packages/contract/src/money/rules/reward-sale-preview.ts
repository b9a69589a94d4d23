import { z } from 'zod'
import { cents, identifier, positiveCents, rowId, timestamp } from '../../fields.ts'
import { MAX_SALE_ITEMS } from '../../tracking/sale-items.ts'
import { currency } from '../currency.ts'
import { rewardRequest } from '../rewards.ts'
import { INTERVALS, rewardWarning } from './reward-rules.ts'

/** Why a rule did not decide about an item. */
export const UNMATCHED_REASONS = [
  'other_product',
  'other_plan',
  'other_interval',
  'not_first_payment',
  'first_payment',
  'other_currency',
  'other_country',
  'amount_below_minimum',
] as const
export type UnmatchedReason = (typeof UNMATCHED_REASONS)[number]

/** Why an item that matched a rule earned nothing, or less than its share. */
export const UNPAID_REASONS = [
  'no_rule_matches',
  'rule_pays_nothing',
  'stages_over',
  'flat_paid_once',
  'flat_in_other_currency',
  'rounds_to_zero',
] as const
export type UnpaidReason = (typeof UNPAID_REASONS)[number]

const item = z.strictObject({
  productId: identifier.nullable().describe('What was sold, by its ID at the payment processor; null if unknown'),
  planId: identifier.nullable().default(null).describe('The price or plan, by its ID; null if unknown'),
  interval: z.enum(INTERVALS).nullable().default(null).describe('How often the plan is paid; null if unknown'),
  amountCents: cents.min(0, 'must be at least 0').describe('Without tax, in minor units'),
})

const example = z
  .strictObject({
    amountCents: positiveCents.describe('The sale without tax, in minor units'),
    currency: currency.optional().describe("Defaults to the program's"),
    items: z
      .array(item)
      .max(MAX_SALE_ITEMS, `must be at most ${MAX_SALE_ITEMS} items`)
      .default([])
      .describe('What the sale is for. What is left of the amount is an item without a product'),
    monthsSinceFirstSale: z
      .int()
      .min(0)
      .max(1_200)
      .nullable()
      .default(null)
      .describe("Null: it is the customer's first sale"),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'must be a country code such as US')
      .nullable()
      .default(null)
      .describe('Country of the click (ISO 3166-1 alpha-2); null if unknown'),
  })
  .refine(({ amountCents, items }) => items.reduce((sum, one) => sum + one.amountCents, 0) <= amountCents, {
    message: 'must not add up to more than amountCents',
    path: ['items'],
  })

export const rewardSalePreviewRequest = z
  .strictObject({
    reward: rewardRequest.describe('The reward terms to preview, as in `PUT …/reward`'),
    saleId: rowId.optional().describe('A credited sale of the program. Default: the most recent one'),
    example: example.optional().describe('An example instead of a real sale'),
  })
  .refine(({ saleId, example: other }) => saleId === undefined || other === undefined, {
    message: 'must not be sent together with saleId',
    path: ['example'],
  })

/** One item of a sale, and what the list of rules says about it. */
export const itemReward = z.strictObject({
  productId: z.string().nullable().describe('Null for the rest of the sale, which belongs to no item'),
  planId: z.string().nullable(),
  interval: z.enum(INTERVALS).nullable(),
  amountCents: z.int().describe('Without tax'),
  rule: z.int().nullable().describe('The rule that matched, counted from 1; null if none did'),
  stage: z.int().nullable().describe('The stage of the rule, counted from 1; null if none applied'),
  percentBps: z.int().nullable(),
  flatCents: z.int().nullable(),
  reason: z.enum(UNPAID_REASONS).nullable().describe('Why the item earned nothing; null if it earned'),
  skipped: z
    .array(z.strictObject({ rule: z.int(), reason: z.enum(UNMATCHED_REASONS) }))
    .describe('The earlier rules, and why they did not match'),
})
export type ItemReward = z.infer<typeof itemReward>

/** What one rule paid for a sale in all. */
export const ruleReward = z.strictObject({
  rule: z.int(),
  earnedCents: z.int().describe('Before the maximums'),
  paidCents: z.int().describe('Its part of the commission'),
  cutBy: z.enum(['sale', 'customer']).nullable().describe('The maximum that cut it, if one did'),
})
export type RuleReward = z.infer<typeof ruleReward>

export const rewardSalePreview = z.strictObject({
  sale: z
    .strictObject({ id: z.int(), invoiceId: z.string(), soldAt: timestamp, partnerId: z.int().nullable() })
    .nullable()
    .describe('Null for an example'),
  amountCents: z.int().describe('The sale without tax'),
  currency: z.string(),
  isFirstSale: z.boolean(),
  country: z.string().nullable().describe("Of the lead's click; null if unknown or if no rule looks at it"),
  commission: z
    .strictObject({ amountCents: z.int(), currency: z.string() })
    .nullable()
    .describe('Before refunds; null if the sale earns nothing'),
  items: z.array(itemReward),
  rules: z.array(ruleReward).describe('The rules that matched'),
  warnings: z.array(rewardWarning).describe('Rules and stages of the given terms that can never pay'),
})
