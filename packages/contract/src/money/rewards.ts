import { z } from 'zod'
import { cents, positiveCents, timestamp } from '../fields.ts'
import { currency } from './currency.ts'
import {
  type RewardRule,
  requestedRules,
  rewardRule,
  rewardWarning,
  rulesOfSimple,
  type SimpleSaleReward,
} from './rules/reward-rules.ts'

/** Leaves out what is undefined, and an empty list of conditions. */
const plain = (value: unknown) =>
  JSON.stringify(value, (name, part) => (name === 'when' && Object.keys(part ?? {}).length === 0 ? undefined : part))

const saleReward = z
  .strictObject({
    percentBps: z
      .int()
      .min(1, 'must be at least 1')
      .max(10_000, 'must be at most 10000 (100%)')
      .optional()
      .describe('Percentage in basis points: 2000 is 20%. Send this or `amountCents`'),
    amountCents: positiveCents.optional().describe('Flat amount per sale, in minor units'),
    duration: z
      .enum(['first', 'months', 'lifetime'])
      .optional()
      .describe(
        "Pays for the customer's first sale, for a number of months after it, or for every sale. Required without `rules`",
      ),
    months: z
      .int()
      .min(1, 'must be at least 1')
      .max(120, 'must be at most 120')
      .optional()
      .describe('Only with `duration: "months"`'),
    rules: requestedRules.optional(),
  })
  .refine((sale) => hasOnlyRules(sale) || (sale.percentBps === undefined) !== (sale.amountCents === undefined), {
    message: 'must have exactly one of percentBps and amountCents',
  })
  .refine((sale) => hasOnlyRules(sale) || sale.duration !== undefined, {
    message: 'must be first, months or lifetime',
    path: ['duration'],
  })
  .refine((sale) => (sale.months !== undefined) === (sale.duration === 'months'), {
    message: 'must be sent if duration is months, and only then',
    path: ['months'],
  })
  .refine(({ rules, ...simple }) => !rules || hasOnlyRules({ rules, ...simple }) || isSame(rules, simple), {
    message: 'say something else than percentBps, amountCents, duration and months. Send only one of the two forms',
    path: ['rules'],
  })

const hasOnlyRules = ({
  rules,
  percentBps,
  amountCents,
  duration,
  months,
}: SimpleSaleReward & { rules?: RewardRule[] | undefined }) =>
  rules !== undefined && [percentBps, amountCents, duration, months].every((value) => value === undefined)

/** An answer has both forms, and can be edited and sent back. */
const isSame = (rules: RewardRule[], simple: SimpleSaleReward) => plain(rules) === plain(rulesOfSimple(simple))

/** By default nothing is rewarded, with a hold period of 30 days and no minimum payout. */
export const rewardRequest = z.strictObject({
  lead: z
    .strictObject({ amountCents: positiveCents.describe('Flat amount per lead, in minor units') })
    .nullable()
    .default(null)
    .describe('Reward per lead; null for none'),
  sale: saleReward.nullable().default(null).describe('Reward per sale; null for none'),
  holdDays: z
    .int('must be a whole number')
    .min(0, 'must be at least 0')
    .max(365, 'must be at most 365')
    .default(30)
    .describe('Hold period in days before a commission becomes payable'),
  minimumPayoutCents: cents
    .min(0, 'must be at least 0')
    .default(0)
    .describe('Smaller balances roll over to the next payout'),
  currency: currency.optional().describe("Currency of flat amounts and the minimum payout. Must be the program's"),
  replaces: z
    .int('must be the version of the terms you are replacing')
    .nullable()
    .optional()
    .describe(
      'The version of the terms you are replacing. If someone changed them since, the call answers 409. Leave it out to skip the check',
    ),
  applyToEarlier: z
    .boolean('must be true or false')
    .optional()
    .describe(
      "Also apply the terms to earlier leads and sales. Only allowed with a program's first terms. Repeating the request resumes an interrupted run and never pays twice",
    ),
  // Accepted and ignored, so that a response can be edited and sent back.
  version: z.unknown().optional().describe('Ignored'),
  validFrom: z.unknown().optional().describe('Ignored'),
  own: z.unknown().optional().describe('Ignored'),
  warnings: z.unknown().optional().describe('Ignored'),
})
export type RewardRequest = z.infer<typeof rewardRequest>

export const reward = z.strictObject({
  lead: z.strictObject({ amountCents: z.int() }).nullable(),
  sale: z
    .strictObject({
      percentBps: z.int().optional().describe('Percentage in basis points: 2000 is 20%'),
      amountCents: z.int().optional().describe('Flat amount per sale, in minor units'),
      duration: z
        .enum(['first', 'months', 'lifetime'])
        .optional()
        .describe('This and the fields above only if one rule says the same'),
      months: z.int().optional(),
      rules: z.array(rewardRule).describe('The first rule whose conditions match decides'),
    })
    .nullable(),
  holdDays: z.int().describe('Hold period in days'),
  minimumPayoutCents: z.int().describe('Smaller balances roll over to the next payout'),
  currency: z.string(),
  version: z.int().nullable().describe('Null if no terms were ever set'),
  validFrom: timestamp.nullable().describe('When the terms took effect'),
  own: z.boolean().describe("True for a partner's custom terms, and for a group's own"),
})
export type RewardAnswer = z.infer<typeof reward>

/** Terms in effect, with what is wrong with their rules. */
export const rewardInEffect = reward.extend({
  warnings: z.array(rewardWarning).describe('Rules and stages that are saved but can never pay'),
})
export type RewardInEffect = z.infer<typeof rewardInEffect>

const amounts = z.array(z.strictObject({ currency: z.string(), amountCents: z.int() }))

export const appliedToEarlier = z.strictObject({
  leads: z.int().describe('Leads that earned a commission'),
  sales: z.int().describe('Sales that earned a commission'),
  amounts: amounts.describe('Commissions per currency, net of refunds'),
  finished: z.boolean().describe('False while the backfill is still running'),
})
export type AppliedToEarlier = z.infer<typeof appliedToEarlier>

export const changedReward = rewardInEffect.extend({
  earlier: appliedToEarlier.optional().describe('Only if `applyToEarlier` was sent'),
})
export type ChangedReward = z.infer<typeof changedReward>

/** Leads and sales that earned nothing because the program had no reward terms yet. */
export const earlierEvents = z.strictObject({
  canApply: z.boolean().describe('True until the first reward terms are set'),
  leads: z.int(),
  sales: z.int(),
  revenue: amounts.describe('Revenue of these sales per currency'),
  applied: appliedToEarlier
    .extend({ termsVersion: z.int(), requestedAt: timestamp })
    .nullable()
    .describe('Result of applying the first terms to them; null if that was not requested'),
})
export type EarlierEvents = z.infer<typeof earlierEvents>

export const rewardPreviewRequest = z.object({
  reward: rewardRequest.describe('The reward terms to preview, as in `PUT …/reward`'),
  amountCents: positiveCents.describe('Amount of one sale, in minor units'),
  currency: currency.optional().describe("Currency of the sale. Defaults to the program's"),
})

const paid = z.strictObject({ amountCents: z.int(), currency: z.string() }).nullable()

export const rewardPreview = z.strictObject({
  lead: paid,
  firstSale: paid,
  monthly: z.array(paid).describe('Commission for each of 24 monthly payments of this amount'),
  holdDays: z.int(),
})
