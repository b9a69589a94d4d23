import { z } from 'zod'
import { mailedFlag, plainText, timestamp } from '../fields.ts'
import { pageQuery, sortedBy } from '../lists.ts'
import { balance, COMMISSION_STATES, commission, commissionsQuery } from '../money/money.ts'
import { emptied, PAYOUT_LINE_STATES, payment } from '../money/payouts.ts'
import { reward } from '../money/rewards.ts'
import { ACCESS_CHANGES, PARTNER_STATUSES } from '../names.ts'
import { createLinkRequest, LINK_ORDERS, linksQuery } from '../programs/partners.ts'
import { websites } from '../programs/websites.ts'
import { amounts, performance } from '../tracking/events.ts'

const email = z.email('must be an e-mail address').max(254, 'must be at most 254 characters').toLowerCase()
const password = z
  .string('must be a string')
  .min(8, 'must be at least 8 characters')
  .max(128, 'must be at most 128 characters')

/** A link for a partner, by which they get their account. */
export const invitePartnerRequest = z.object({
  email: email.optional().describe('The address of the partner if absent'),
})
export const partnerInvitation = z.strictObject({
  url: z
    .string()
    .optional()
    .describe('The link to hand to the partner, shown this once. Absent without `payout:manage` where it is mailed'),
  email: z.string(),
  expiresAt: timestamp,
  mailed: mailedFlag,
})
export const openPartnerInvitation = z.strictObject({
  programName: z.string(),
  partnerName: z.string(),
  email: z.string(),
  expiresAt: timestamp,
})
export const partnerSignUpRequest = z.object({ name: plainText(120), password })

/** What the application page of a program shows. */
export const applicationPage = z.strictObject({
  programId: z.int(),
  programName: z.string(),
  text: z.string().nullable(),
  reward,
})
export const applyRequest = z.object({ name: plainText(120), email, password })
export const applied = z.strictObject({
  received: z.literal(true).describe('The same for an address that has an account: sign in to apply with that one'),
})

export const portalProgram = z.strictObject({
  programId: z.int(),
  programName: z.string(),
  currency: z.string(),
  timezone: z.string(),
  websites,
  partnerId: z.int(),
  name: z.string(),
  code: z.string(),
  status: z.enum(PARTNER_STATUSES),
  archived: z.boolean().describe('The program has archived the partner: their links are off'),
  mayCreateLinks: z.boolean(),
  reward,
  accessChanges: z
    .array(z.strictObject({ change: z.enum(ACCESS_CHANGES), at: timestamp }))
    .describe('Changes of your e-mail address and sign-in in the last 30 days, newest first'),
})

export const signInsRemoved = z.strictObject({ removed: z.int().describe('How many people could sign in') })

export const portalOverview = z.strictObject({ performance, balances: z.array(balance.omit({ partnerId: true })) })

export const portalLink = z.strictObject({
  id: z.int(),
  aff: z.string(),
  destinationUrl: z.string().nullable(),
  active: z.boolean(),
  createdAt: timestamp,
  lastClicked: timestamp.nullable(),
  clicks: z.int(),
  leads: z.int(),
  sales: z.int(),
  revenue: amounts,
  commissions: amounts,
})
/**
 * As the merchant's lists, without what is about other partners and about customers. The oldest link stands first: it is the
 * one that a partner has shared already.
 */
export const portalLinksQuery = linksQuery
  .omit({ partnerId: true })
  .extend({ sort: sortedBy(LINK_ORDERS, 'createdAt') })
export const portalLinkRequest = createLinkRequest.pick({ aff: true, destinationUrl: true })

export const portalSale = z.strictObject({
  id: z.int(),
  soldAt: timestamp,
  amountCents: z.int(),
  refundedCents: z.int(),
  currency: z.string(),
})

export const portalEarningsQuery = commissionsQuery.omit({ partnerId: true })

export const portalEarning = z.strictObject({
  id: z.int(),
  kind: z.enum(['lead', 'sale']),
  amountCents: z.int(),
  reversedCents: z.int(),
  currency: z.string(),
  state: z.enum(COMMISSION_STATES),
  paidCents: commission.shape.paidCents,
  inPayout: commission.shape.inPayout,
  inPayoutCents: commission.shape.inPayoutCents,
  disputedCents: commission.shape.disputedCents,
  heldForApproval: z.boolean().describe('Held until the program approves the partner'),
  voidReason: z.string().nullable().describe('What the program said when it voided it; null where it did not'),
  earnedAt: timestamp,
  payableAt: timestamp.describe('Held until then'),
  because: z.array(z.string()).describe('Why it is held, in review, or was taken back'),
})
export type PortalEarning = z.infer<typeof portalEarning>

export const portalEarningDetail = portalEarning.extend({ story: z.array(z.string()) })

export const portalPayoutsQuery = pageQuery.extend({
  status: z.enum(PAYOUT_LINE_STATES).optional(),
  sort: sortedBy(['createdAt', 'amountCents'], '-createdAt'),
})
export type PortalPayoutsQuery = z.infer<typeof portalPayoutsQuery>

export const portalPayout = z.strictObject({
  id: z.int().describe('Of your line in it: one for each currency'),
  payoutId: z.int().describe('The number of the payout, as the merchant and the story of an earning call it'),
  createdAt: timestamp,
  amountCents: z.int().describe('What is to be paid, or was; once failed, what was to be paid'),
  currency: z.string(),
  status: z.enum(PAYOUT_LINE_STATES),
  emptied,
  decidedAt: timestamp.nullable(),
  ...payment,
})
