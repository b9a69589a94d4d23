import { z } from 'zod'
import { applicationAnswers, applicationForm } from '../branding/applications.ts'
import { agreement, agreementVersion, brand, portalAgreement } from '../branding/branding.ts'
import { step } from '../explain/explain.ts'
import { mailedFlag, plainText, rowId, timestamp } from '../fields.ts'
import { pageQuery, sortedBy } from '../lists.ts'
import { balance, COMMISSION_STATES, commission, commissionsQuery } from '../money/money.ts'
import { emptied, PAYOUT_LINE_STATES, payment } from '../money/payouts.ts'
import { reward } from '../money/rewards.ts'
import { ACCESS_CHANGES, PARTNER_STATUSES } from '../names.ts'
import { tierProgress } from '../programs/groups.ts'
import { createLinkRequest, LINK_ORDERS, linksQuery } from '../programs/partners.ts'
import { websites } from '../programs/websites.ts'
import { amounts, performance } from '../tracking/events.ts'

const email = z
  .email('must be an email address')
  .max(254, 'must be at most 254 characters')
  .toLowerCase()
  .describe('Email address of the partner')
const password = z
  .string('must be a string')
  .min(8, 'must be at least 8 characters')
  .max(128, 'must be at most 128 characters')
  .describe('8 to 128 characters')
const partnerName = plainText(120).describe('Name of the partner')

export const invitePartnerRequest = z.object({
  email: email.optional().describe("Defaults to the partner's email address"),
  groupId: rowId.optional().describe('Moves the partner to this group. Requires `payout:manage`'),
})
export const partnerInvitation = z.strictObject({
  url: z
    .string()
    .optional()
    .describe('The invitation link, shown only once. Absent if it was emailed and you lack `payout:manage`'),
  email: z.string(),
  expiresAt: timestamp,
  mailed: mailedFlag,
})
export const openPartnerInvitation = z.strictObject({
  programName: z.string(),
  brand,
  agreement: agreement.nullable().describe('What the partner accepts; null if the program has no agreement'),
  partnerName: z.string(),
  email: z.string(),
  expiresAt: timestamp,
})
export const partnerSignUpRequest = z.object({
  name: partnerName,
  password,
  agreementVersion: agreementVersion.optional(),
})
export const acceptPartnerInvitationRequest = partnerSignUpRequest.pick({ agreementVersion: true })

export const applicationPage = z.strictObject({
  programId: z.int(),
  programName: z.string(),
  brand,
  agreement: agreement.nullable().describe('What applicants accept; null if the program has no agreement'),
  questions: applicationForm.shape.questions,
  text: z.string().nullable().describe("The program's introduction"),
  reward,
})
export type ApplicationPage = z.infer<typeof applicationPage>

const applicationFields = { answers: applicationAnswers, agreementVersion: agreementVersion.optional() }
export const applyRequest = z.object({ name: partnerName, email, password, ...applicationFields })
export const portalApplyRequest = z.object(applicationFields)
export const applied = z.strictObject({
  received: z.literal(true).describe('Always true, even if the address already has an account'),
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
  archived: z.boolean().describe('True if the program archived you: new clicks on your links do not count'),
  requireTwoFactor: z.boolean().describe('Whether changing your payout details needs two-factor sign-in'),
  mayCreateLinks: z.boolean().describe('Whether you can create links'),
  mayRequestCodes: z.boolean().describe('Whether you can request promotion codes'),
  reward,
  landingPages: z.array(z.string()).describe('Pages that your new links can start from. The first is the default'),
  tier: tierProgress.nullable().describe('Progress to the next tier; null if there is none'),
  brand,
  agreement: portalAgreement.nullable().describe('The program agreement; null if there is none'),
  decisionMessage: z.string().nullable().describe('What the program wrote when it decided on your application'),
  accessChanges: z
    .array(z.strictObject({ change: z.enum(ACCESS_CHANGES), at: timestamp }))
    .describe('Changes to your email address and sign-in in the last 30 days, newest first'),
})

export const signInsRemoved = z.strictObject({ removed: z.int().describe('Number of sign-ins removed') })

export const partnerView = z.strictObject({
  programId: z.int(),
  partnerId: z.int(),
  endsAt: timestamp.describe('The view ends 30 minutes after it started. ISO 8601 in UTC, with milliseconds'),
})
export const partnerViewEnded = z.strictObject({ ended: z.literal(true) })
export const portalView = partnerView.extend({ partnerName: z.string() })

const nextPayout = z
  .strictObject({
    on: z.string().describe('The day on which the program prepares it, in its time zone, such as 2026-12-01'),
    amounts: amounts.describe('What it would pay you as things stand; empty if nothing is due to you by then'),
  })
  .nullable()
  .describe('The next scheduled payout; null if the program prepares payouts by hand')

export const portalOverview = z.strictObject({
  performance,
  balances: z.array(balance.omit({ partnerId: true })),
  nextPayout,
})
export type PortalOverview = z.infer<typeof portalOverview>

export const portalBalances = z.strictObject({
  programId: z.int(),
  balances: portalOverview.shape.balances.describe('One per currency'),
  needsPayoutDetails: z
    .boolean()
    .describe('True if an amount is payable or in a payout and you have not entered payout details'),
})
export type PortalBalances = z.infer<typeof portalBalances>

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
/** Oldest first by default: that is the link the partner has already shared. */
export const portalLinksQuery = linksQuery
  .omit({ partnerId: true })
  .extend({ sort: sortedBy(LINK_ORDERS, 'createdAt') })
export const portalLinkRequest = createLinkRequest.pick({ aff: true, destinationUrl: true })

export const portalEarningsQuery = commissionsQuery.omit({ partnerId: true, groupId: true, search: true })

export const portalExportQuery = portalEarningsQuery.pick({ state: true, inPayout: true, disputed: true })
export type PortalExportQuery = z.infer<typeof portalExportQuery>

export const portalEarning = z.strictObject({
  id: z.int(),
  kind: commission.shape.kind,
  amountCents: z.int(),
  reversedCents: z.int(),
  currency: z.string(),
  state: z.enum(COMMISSION_STATES),
  paidCents: commission.shape.paidCents,
  inPayout: commission.shape.inPayout,
  inPayoutCents: commission.shape.inPayoutCents,
  disputedCents: commission.shape.disputedCents,
  heldForApproval: z.boolean().describe('Not payable because you are not approved: see `partnerStatus`'),
  partnerStatus: z.enum(PARTNER_STATUSES).describe('Your current status in the program'),
  voidReason: z.string().nullable().describe('Why the program voided it; null if it did not'),
  reason: z.string().nullable().describe('Why the program added it or credited its sale manually; null if it did not'),
  earnedAt: timestamp,
  payableAt: timestamp.describe('When the hold period ends. ISO 8601 in UTC, with milliseconds'),
  because: z.array(z.string()).describe('Why it is not payable yet, in review or reversed, in plain English'),
  reasons: z.array(step).describe('The same as `because`, in parts'),
})
export type PortalEarning = z.infer<typeof portalEarning>

export const portalSale = z.strictObject({
  id: z.int(),
  soldAt: timestamp,
  amountCents: z.int(),
  refundedCents: z.int(),
  currency: z.string(),
  earning: portalEarning.nullable().describe('What you earned on the sale; null if it paid nothing'),
  noEarningReason: z.string().nullable().describe('Why the sale paid nothing, in plain English'),
})
export type PortalSale = z.infer<typeof portalSale>

export const portalEarningDetail = portalEarning.extend({
  story: z.array(z.string()).describe('How it came about, in plain English, in order'),
  history: z.array(step).describe('The same as `story`, in parts'),
})

export const portalPayoutsQuery = pageQuery.extend({
  status: z.enum(PAYOUT_LINE_STATES).optional().describe('Only payouts in this status'),
  sort: sortedBy(['createdAt', 'amountCents'], '-createdAt'),
})
export type PortalPayoutsQuery = z.infer<typeof portalPayoutsQuery>

export const portalPayout = z.strictObject({
  id: z.int().describe('ID of your line in the payout. There is one line per currency'),
  payoutId: z.int().describe('ID of the payout, the same one that the program sees'),
  createdAt: timestamp,
  amountCents: z.int().describe('The amount to be paid, or paid. If it failed, the amount that was to be paid'),
  currency: z.string(),
  status: z.enum(PAYOUT_LINE_STATES),
  emptied,
  decidedAt: timestamp.nullable(),
  ...payment,
})
export type PortalPayout = z.infer<typeof portalPayout>
