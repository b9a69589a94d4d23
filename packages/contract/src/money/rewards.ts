import { z } from 'zod'
import { cents, someCents, timestamp } from '../fields.ts'
import { currency } from './currency.ts'

const saleReward = z
  .strictObject({
    percentBps: z.int().min(1, 'must be at least 1').max(10_000, 'must be at most 10000 (100 %)').optional(),
    amountCents: someCents.optional(),
    duration: z.enum(['first', 'months', 'lifetime']),
    months: z.int().min(1, 'must be at least 1').max(120, 'must be at most 120').optional(),
  })
  .refine((sale) => (sale.percentBps === undefined) !== (sale.amountCents === undefined), {
    message: 'must have either percentBps or amountCents',
  })
  .refine((sale) => (sale.months !== undefined) === (sale.duration === 'months'), {
    message: 'must have months exactly where duration is months',
    path: ['months'],
  })

/** What a program pays. The default is no reward, 30 days, 0. */
export const rewardRequest = z.strictObject({
  lead: z.strictObject({ amountCents: someCents }).nullable().default(null),
  sale: saleReward.nullable().default(null),
  holdDays: z.int('must be a whole number').min(0, 'must be at least 0').max(365, 'must be at most 365').default(30),
  minimumPayoutCents: cents.min(0, 'must be at least 0').default(0),
  currency: currency.optional().describe("Of flat amounts and the minimum; must be the program's"),
  replaces: z
    .int('must be the version of the terms that were read')
    .nullable()
    .optional()
    .describe(
      'The version of the terms that were read; refused with 409 where others hold by now. Absent: whatever holds',
    ),
  applyToEarlier: z
    .boolean('must be true or false')
    .optional()
    .describe(
      'Only with the first terms of a program: also apply them to the leads and sales before them. Repeating the request continues an interrupted run and pays nothing twice',
    ),
  // An answer may be sent back as it came.
  version: z.unknown().optional(),
  validFrom: z.unknown().optional(),
  own: z.unknown().optional(),
})
export type RewardRequest = z.infer<typeof rewardRequest>

export const reward = z.strictObject({
  lead: z.strictObject({ amountCents: z.int() }).nullable(),
  sale: z
    .strictObject({
      percentBps: z.int().optional(),
      amountCents: z.int().optional(),
      duration: z.enum(['first', 'months', 'lifetime']),
      months: z.int().optional(),
    })
    .nullable(),
  holdDays: z.int(),
  minimumPayoutCents: z.int(),
  currency: z.string(),
  version: z.int().nullable().describe('Null while nothing was ever set'),
  validFrom: timestamp.nullable(),
  own: z.boolean().describe("True for a partner's own terms"),
})
export type RewardAnswer = z.infer<typeof reward>

const amounts = z.array(z.strictObject({ currency: z.string(), amountCents: z.int() }))

export const appliedToEarlier = z.strictObject({
  leads: z.int().describe('That earned a commission'),
  sales: z.int().describe('That earned a commission'),
  amounts: amounts.describe('Commissions by currency, after refunds'),
  finished: z.boolean().describe('False while the rest is still being applied'),
})
export type AppliedToEarlier = z.infer<typeof appliedToEarlier>

export const changedReward = reward.extend({
  earlier: appliedToEarlier.optional().describe('Where `applyToEarlier` was requested'),
})
export type ChangedReward = z.infer<typeof changedReward>

/** Leads and sales that earned nothing because the program had no terms. */
export const earlierEvents = z.strictObject({
  canApply: z.boolean().describe('True until the program has its first terms'),
  leads: z.int(),
  sales: z.int(),
  revenue: amounts.describe('Of these sales, by currency'),
  applied: appliedToEarlier
    .extend({ termsVersion: z.int(), requestedAt: timestamp })
    .nullable()
    .describe('What applying the first terms came to'),
})
export type EarlierEvents = z.infer<typeof earlierEvents>

/** A sale of this amount under these terms. */
export const rewardPreviewRequest = z.object({
  reward: rewardRequest.describe('As it would be set'),
  amountCents: someCents.describe('Of one sale'),
  currency: currency.optional().describe("Of the sale; the program's by default"),
})

const paid = z.strictObject({ amountCents: z.int(), currency: z.string() }).nullable()

export const rewardPreview = z.strictObject({
  lead: paid,
  firstSale: paid,
  monthly: z.array(paid).describe('For a customer who pays so much each month, two years long'),
  holdDays: z.int(),
})
