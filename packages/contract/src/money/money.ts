import { z } from 'zod'
import { SELF_REFERRAL_MATCHES } from '../explain/self-referral.ts'
import { additionalData, descriptiveText, identifier, namedProgram, plainText, timestamp } from '../fields.ts'
import { MAX_AMOUNT } from '../limits.ts'
import { pageQuery, rowNumber, searchText, sortedBy } from '../lists.ts'
import { PARTNER_STATUSES } from '../names.ts'
import { currency } from './currency.ts'
import { nextPayable } from './holds.ts'

/** Included in every row about money, because members who can see money may not be able to list partners. */
export const partnerLabel = { partnerName: z.string(), partnerArchived: z.boolean() }

export const COMMISSION_STATES = ['held', 'payable', 'paid', 'reversed', 'review'] as const
export type CommissionState = (typeof COMMISSION_STATES)[number]

export const COMMISSION_KINDS = ['lead', 'sale', 'bonus', 'manual'] as const
export type CommissionKind = (typeof COMMISSION_KINDS)[number]

export const commission = z.strictObject({
  id: z.int(),
  kind: z.enum(COMMISSION_KINDS).describe('What earned it. `bonus` and `manual` were added by a member'),
  partnerId: z.int(),
  saleId: z.int().nullable(),
  leadId: z.int().nullable(),
  amountCents: z.int().describe('The amount earned, before reversals'),
  reversedCents: z.int().describe('How much has been reversed by refunds, disputes, reviews or voiding'),
  currency: z.string(),
  state: z.enum(COMMISSION_STATES),
  paidCents: z
    .int()
    .describe('How much payouts have paid. If it was reversed later, the excess is deducted from the next payout'),
  inPayout: z.boolean().describe('True if part or all of it is in an open payout'),
  inPayoutCents: z
    .int()
    .describe('How much is in open payouts. Negative if they deduct an amount that was reversed after payment'),
  disputedCents: z.int().describe('How much is in dispute. If not zero, `held` lasts until the dispute is decided'),
  payableAt: timestamp.describe('When the hold period ends. ISO 8601 in UTC, with milliseconds'),
  earnedAt: timestamp,
  termsVersion: z
    .int()
    .nullable()
    .describe('The version of the reward terms it was calculated under; null if a member entered the amount'),
  reviewReason: z.string().nullable().describe('The first of `reviewReasons`'),
  reviewReasons: z
    .array(z.string())
    .describe('Reason codes for the review. While the state is `review`, only those that still apply'),
  selfReferralMatches: z
    .array(z.enum(SELF_REFERRAL_MATCHES))
    .describe(
      'How the customer matches the partner, if `customer_is_partner` is a reason. `partner_details` stands for what needs `payout:manage` to see',
    ),
  heldForApproval: z
    .boolean()
    .describe(
      'Not payable because the partner is not approved (pending, suspended or rejected), even after `payableAt`',
    ),
  partnerStatus: z.enum(PARTNER_STATUSES).describe("The partner's current status"),
  voidReason: z.string().nullable().describe('Why it was voided; null if it was not. The partner sees it'),
  byHand: z.boolean().describe('True if a member added it, or credited or moved its sale to the partner'),
  adjustment: z
    .strictObject({
      id: z.int(),
      type: z.enum(['bonus', 'commission', 'void', 'credit', 'move']),
      reason: z.string(),
      reversed: z.boolean().describe('True if it was undone'),
    })
    .nullable()
    .describe('The adjustment that created it, voided it or gave its sale to another partner; null if there is none'),
})

/** The lead or sale that earned a commission. */
const origin = {
  invoiceId: z.string().nullable().describe('Null for leads, and for members without `tracking:list`'),
  customerKey: z.string().nullable().describe('Null if unknown, and for members without `tracking:list`'),
  customerId: z.string().nullable().describe("The customer's click ID; null for members without `tracking:list`"),
  saleAmountCents: z.int().nullable().describe('The amount of the sale; null for leads'),
  saleCurrency: z.string().nullable(),
  rateBps: z.int().nullable().describe('The percentage of the terms in basis points; null for a fixed amount'),
  reversalReason: z
    .string()
    .nullable()
    .describe('If the state is `reversed`: the reason code of the refund, dispute or review that reversed it'),
}

export const commissionRow = commission.extend({
  ...partnerLabel,
  ...origin,
  groupId: z.int().describe("The partner's group at the time of the lead or sale"),
  groupName: z.string(),
})
export type CommissionRow = z.infer<typeof commissionRow>

export const commissionsQuery = pageQuery.extend({
  state: z.enum(COMMISSION_STATES).optional().describe('Only commissions in this state'),
  inPayout: z.enum(['true', 'false']).optional().describe('Only commissions in an open payout, or only others'),
  disputed: z.enum(['true', 'false']).optional().describe('Only commissions in dispute, or only others'),
  partnerId: rowNumber.optional().describe('Only rows of this partner'),
  groupId: rowNumber.optional().describe('Only commissions earned while the partner was in this group'),
  search: searchText.describe(
    "The commission's number or part of a partner name. With `tracking:list`, also the beginning of an invoice ID or customer key, or a whole email address",
  ),
  sort: sortedBy(['earnedAt', 'amountCents', 'payableAt'], '-earnedAt'),
})
export type CommissionsQuery = z.infer<typeof commissionsQuery>

export const commissionTotal = z.strictObject({
  state: z.enum(COMMISSION_STATES),
  currency: z.string(),
  count: z.int(),
  amountCents: z.int().describe('Net of reversals. The paid part of a partly paid commission counts as `paid`'),
  reversedCents: z.int().describe('How much of these commissions has been reversed'),
  inPayoutCents: z.int().describe('How much is in an open payout'),
  inPayoutCount: z.int().describe('How many are in an open payout'),
  disputedCents: z.int().describe('How much is in dispute'),
  disputedCount: z.int().describe('How many are in dispute'),
  freeCount: z.int().describe('How many are neither in an open payout nor in dispute'),
})

export type CommissionTotal = z.infer<typeof commissionTotal>

export const REVIEW_COUNT_LIMIT = 100
export const reviewCount = z.strictObject({
  count: z.int().describe('Commissions in `review`'),
  isMore: z.boolean().describe(`True if there are more: counting stops at ${REVIEW_COUNT_LIMIT}`),
})

export const balance = z.strictObject({
  partnerId: z.int(),
  currency: z.string(),
  heldCents: z.int().describe('In the hold period. Includes everything earned by a partner who is not approved'),
  nextPayable,
  payableCents: z.int().describe('Ready to be paid. Negative if the partner owes money, which the next payout deducts'),
  batchedCents: z.int().describe('Reserved in an open payout'),
  paidCents: z.int().describe('Paid so far'),
  reviewCents: z.int().describe('In review'),
  disputedCents: z.int().describe('In dispute'),
})

export const balanceRow = balance.extend({
  ...partnerLabel,
  partnerStatus: z.enum(PARTNER_STATUSES).describe('Only `approved` partners are included in payouts'),
})
export type BalanceRow = z.infer<typeof balanceRow>

export const balancesQuery = pageQuery.extend({
  search: searchText.describe("Part of the partner's name, email address or code"),
  currency: currency.optional().describe('Only balances in this currency'),
  zero: z.enum(['true', 'false']).default('true').describe('`false` leaves out balances whose amounts are all zero'),
  sort: sortedBy(
    ['partnerName', 'payableCents', 'heldCents', 'reviewCents', 'disputedCents', 'batchedCents', 'paidCents'],
    'partnerName',
  ),
})
export type BalancesQuery = z.infer<typeof balancesQuery>

export const ledgerQuery = pageQuery.extend({ sort: sortedBy(['createdAt'], '-createdAt') })

export const ledgerLine = z.strictObject({
  id: z.int(),
  partnerId: z.int(),
  currency: z.string(),
  fromAccount: z.string().describe('`program`, `review`, `disputed`, `earned`, `batched` or `paid`'),
  toAccount: z.string().describe('The same accounts'),
  amountCents: z.int(),
  availableAt: timestamp.nullable().describe('When the amount becomes payable; null for entries made by payouts'),
  cause: z.string().describe('What moved the money'),
  commissionId: z.int().nullable(),
  payoutLineId: z.int().nullable(),
  createdAt: timestamp,
})

const reason = z
  .string('must be a string')
  .trim()
  .min(1, 'must not be empty')
  .max(500, 'must be at most 500 characters')

export const decideReviewRequest = z.object({
  decision: z.enum(['released', 'rejected']).describe('`released` approves the commission'),
  reason: reason.describe('Why, for the audit log'),
})

export const MIN_REASON_LENGTH = 3
export const MAX_REASON_LENGTH = 500

/** The reason of an adjustment. */
export const partnerReason = plainText(MAX_REASON_LENGTH)
  .min(MIN_REASON_LENGTH, `must be at least ${MIN_REASON_LENGTH} characters`)
  .describe('Why. The partners concerned see it')

export const voidCommissionRequest = z.object({ reason: partnerReason })

/** POST /api/v1/track/refund */
export const refundRequest = z.object({
  invoice_id: identifier.describe('The invoice ID of the sale'),
  amount: z
    .int()
    .positive()
    .max(MAX_AMOUNT)
    .nullish()
    .describe(
      'Amount in minor units (2900 for $29.00), including tax if the sale was sent with `tax`. Leave it out to refund the rest of the sale',
    ),
  currency: currency.nullish().describe("If sent, must be the sale's currency"),
  reason: descriptiveText(255).describe('Why the sale was refunded'),
  refund_id: identifier
    .nullish()
    .describe(
      'Your ID for the refund. It makes a retry safe: without it, the same `amount` sent again is a second refund',
    ),
  program_id: namedProgram.nullish().describe("If sent, must be the API key's program"),
  additional_data: additionalData.describe('Refunds have no test mode: `test_mode: true` is rejected'),
})

export const refundAnswer = z.strictObject({
  success: z.literal(true).describe('Always true: errors have another shape'),
  sale_id: z.int().describe('ID of the sale'),
  commission_id: z.int().nullable().describe('The commission that was reversed, if any'),
  refunded_amount: z.int().describe('Total refunded of the sale so far, including tax if the sale was sent with `tax`'),
  reversed_amount: z.int().describe('Total reversed of the commission so far'),
  duplicate: z.literal(true).optional().describe('The refund was already recorded; nothing changed'),
})

export const auditQuery = pageQuery.extend({
  userId: z.string().max(255).optional().describe('Only changes made by this user'),
  search: searchText.describe(
    "Part of the action, its subject or the partner's name, as stored or as the dashboard shows them",
  ),
  sort: sortedBy(['createdAt', 'action'], '-createdAt'),
})
export type AuditQuery = z.infer<typeof auditQuery>

export const auditEntry = z.strictObject({
  id: z.int(),
  userId: z.string().nullable(),
  userName: z.string().nullable(),
  byPartner: z.boolean().describe('True if a partner made the change in the portal'),
  action: z.string(),
  subject: z.string(),
  partnerName: z.string().nullable().describe('The partner the change is about'),
  subjectName: z
    .string()
    .nullable()
    .describe(
      'The name of the group, resource, view or API key, the invoice ID of the sale, or the URL of the endpoint',
    ),
  partnerNames: z
    .record(z.string(), z.string())
    .describe('The names of the partners whose IDs are in `before` and `after`'),
  before: z.unknown(),
  after: z.unknown(),
  createdAt: timestamp,
})
export type AuditEntry = z.infer<typeof auditEntry>
