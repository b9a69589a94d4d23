import { z } from 'zod'
import { plainText, positiveCents, rowId, timestamp } from '../fields.ts'
import { MAX_LANDING_PAGES, MAX_MOVED_PARTNERS } from '../limits.ts'
import { currency } from '../money/currency.ts'
import { reward } from '../money/rewards.ts'
import { webAddress } from './web-address.ts'

const groupName = plainText(60).describe('Unique in the program. Partners do not see it')

const landingPages = z
  .array(webAddress, 'must be a list of web addresses')
  .max(MAX_LANDING_PAGES, `must be at most ${MAX_LANDING_PAGES} pages`)
  .transform((pages) => [...new Set(pages)])
  .describe("Pages on the program's websites that partners' new links start from. The first is the default")

export const TIER_PERIODS = ['month', 'quarter', 'year', 'all'] as const
export type TierPeriod = (typeof TIER_PERIODS)[number]

const tierAfter = z.union(
  [
    z.strictObject({
      sales: z
        .int('must be a whole number')
        .min(1, 'must be at least 1')
        .max(1_000_000, 'must be at most 1000000')
        .describe('Number of credited sales that are not refunded in full'),
    }),
    z.strictObject({
      amountCents: positiveCents.describe('Revenue of credited sales after refunds, in minor units'),
      currency: currency.describe('Only sales in this currency count'),
    }),
  ],
  'must have either sales, or amountCents and currency',
)
export type TierAfter = z.infer<typeof tierAfter>

const within = z
  .enum(TIER_PERIODS)
  .describe("Calendar period in the program's time zone in which the sales must be made; `all` counts every sale")

export const tierRule = z.strictObject({
  after: tierAfter.describe('How many sales, or how much revenue, a partner needs'),
  within,
  moveTo: rowId.describe('The group that partners move to. Rules must not lead in a circle'),
})
export type TierRule = z.infer<typeof tierRule>

const tierRuleOrNone = tierRule
  .nullable()
  .describe(
    'Moves partners to another group once they have made enough sales, within about five minutes. Sales made before the move keep their commissions, and partners stay in the new group when the period ends',
  )

const groupFields = z.object({ name: groupName, landingPages, tierRule: tierRuleOrNone })

export const createGroupRequest = groupFields.partial().required({ name: true })

export const changeGroupRequest = groupFields.partial()
export type ChangeGroup = z.infer<typeof changeGroupRequest>

export const movePartnersRequest = z.strictObject({
  partnerIds: z
    .array(rowId, 'must be a list of partner IDs')
    .min(1, 'must not be empty')
    .max(MAX_MOVED_PARTNERS, `must be at most ${MAX_MOVED_PARTNERS} partners`)
    .describe('Either all of them move, or none'),
})

export const movedPartners = z.strictObject({
  moved: z.int().describe('How many partners changed their group. The others were in it already'),
})

export const group = z.strictObject({
  id: z.int(),
  name: z.string(),
  isDefault: z.boolean().describe('New partners start in the default group. It cannot be deleted'),
  landingPages: z.array(z.string()),
  tierRule: tierRule.nullable(),
  partners: z.int().describe('Number of partners in the group, without archived ones'),
  reward: reward.describe(
    "The reward terms in effect. `own` is true if the group has its own; otherwise they are the default group's",
  ),
  createdAt: timestamp,
})
export type Group = z.infer<typeof group>

/** How far a partner is from the next tier. */
export const tierProgress = z.strictObject({
  after: tierAfter,
  within,
  reached: z.int().describe('Sales so far, or revenue so far in minor units'),
  reward: reward.describe('The reward terms of the next tier'),
})
export type TierProgress = z.infer<typeof tierProgress>

/** How a partner got into their current group. */
export const groupMembership = z.strictObject({
  since: timestamp.nullable().describe('Null for a partner who was never moved'),
  tier: z
    .strictObject({
      groupName: z.string().describe('The group whose tier rule moved the partner'),
      after: tierAfter,
      within,
      reached: z.int().describe('What was counted: sales, or revenue in minor units'),
      period: z.string().describe('First day of the period'),
    })
    .nullable()
    .describe('The tier rule that moved the partner; null if a member did'),
})
export type GroupMembership = z.infer<typeof groupMembership>
