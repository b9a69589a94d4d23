import { z } from 'zod'
import { additionalData, descriptive, identifier, namedProgram, timestamp } from '../fields.ts'
import { MAX_AMOUNT } from '../limits.ts'
import { pageQuery, rowNumber, searchWord, sortedBy } from '../lists.ts'
import { PARTNER_STATUSES } from '../names.ts'
import { currency } from './currency.ts'

/** A partner's number alone says little to a person, and whoever sees the money may not see the list of partners. */
export const named = { partnerName: z.string(), partnerArchived: z.boolean() }

export const COMMISSION_STATES = ['held', 'payable', 'paid', 'reversed', 'review'] as const
export type CommissionState = (typeof COMMISSION_STATES)[number]

export const commission = z.strictObject({
  id: z.int(),
  kind: z.enum(['lead', 'sale']),
  partnerId: z.int(),
  saleId: z.int().nullable(),
  leadId: z.int().nullable(),
  amountCents: z.int(),
  reversedCents: z.int(),
  currency: z.string(),
  state: z.enum(COMMISSION_STATES),
  paidCents: z
    .int()
    .describe(
      'What payouts have paid of it. What is above the rest of it was taken back later: a debt, until a payout nets it',
    ),
  inPayout: z.boolean().describe('An open payout has it, or a part of it'),
  inPayoutCents: z
    .int()
    .describe('What open payouts have of it. Below zero: they net what was taken back after it was paid'),
  disputedCents: z.int().describe('How much of it is in dispute; where it is some, `held` means held for the outcome'),
  payableAt: timestamp,
  earnedAt: timestamp,
  termsVersion: z.int(),
  reviewReason: z.string().nullable().describe('The first of `reviewReasons`'),
  reviewReasons: z
    .array(z.string())
    .describe('Why it waits, or waited, for a review. While it is in `review`, only the reasons that still hold'),
  heldForApproval: z
    .boolean()
    .describe('`held` because the partner is not approved (pending, suspended or rejected), also after `payableAt`'),
  voidReason: z.string().nullable().describe('Why it was voided; the partner sees it. Null where it was not'),
})

export const commissionRow = commission.extend(named)
export type CommissionRow = z.infer<typeof commissionRow>

export const commissionsQuery = pageQuery.extend({
  state: z.enum(COMMISSION_STATES).optional(),
  inPayout: z.enum(['true', 'false']).optional().describe('An open payout has it'),
  disputed: z.enum(['true', 'false']).optional().describe('A part of it at least is in dispute'),
  partnerId: rowNumber.optional(),
  sort: sortedBy(['earnedAt', 'amountCents', 'payableAt'], '-earnedAt'),
})
export type CommissionsQuery = z.infer<typeof commissionsQuery>

export const commissionTotal = z.strictObject({
  state: z.enum(COMMISSION_STATES),
  currency: z.string(),
  count: z.int(),
  amountCents: z
    .int()
    .describe('Without what was reversed. Of a commission that was paid in part, that part is among the `paid`'),
  inPayoutCents: z.int().describe('How much of it is in an open payout; the rest is for the next'),
  disputedCents: z.int().describe('How much of it is in dispute'),
})

export const balance = z.strictObject({
  partnerId: z.int(),
  currency: z.string(),
  heldCents: z.int().describe('Of a partner who is not approved, everything until they are'),
  payableCents: z.int().describe('Below zero: a debt that the next payout nets'),
  batchedCents: z.int().describe('Reserved by an open payout'),
  paidCents: z.int(),
  reviewCents: z.int(),
  disputedCents: z.int(),
})

export const balanceRow = balance.extend({
  ...named,
  partnerStatus: z.enum(PARTNER_STATUSES).describe('Only an `approved` partner is in payouts'),
})
export type BalanceRow = z.infer<typeof balanceRow>

export const balancesQuery = pageQuery.extend({
  search: searchWord.describe('A part of the name of the partner'),
  currency: currency.optional(),
  sort: sortedBy(['partnerName', 'payableCents', 'heldCents', 'batchedCents', 'paidCents'], 'partnerName'),
})
export type BalancesQuery = z.infer<typeof balancesQuery>

export const ledgerQuery = pageQuery.extend({ sort: sortedBy(['createdAt'], '-createdAt') })

export const ledgerLine = z.strictObject({
  id: z.int(),
  partnerId: z.int(),
  currency: z.string(),
  fromAccount: z.string(),
  toAccount: z.string(),
  amountCents: z.int(),
  availableAt: timestamp
    .nullable()
    .describe('When it is payable. Null for what a payout moves: that is not tied to a day'),
  cause: z.string(),
  commissionId: z.int().nullable(),
  payoutLineId: z.int().nullable(),
  createdAt: timestamp,
})

const reason = z
  .string('must be a string')
  .trim()
  .min(1, 'must not be empty')
  .max(500, 'must be at most 500 characters')

export const decideReviewRequest = z.object({ decision: z.enum(['released', 'rejected']), reason })

export const voidCommissionRequest = z.object({ reason: reason.describe('The partner sees it') })

/** POST /api/v1/track/refund */
export const refundRequest = z.object({
  invoice_id: identifier.describe('Of the sale'),
  amount: z.int().positive().max(MAX_AMOUNT).nullish().describe('Minor units; absent: all that is left of the sale'),
  currency: currency.nullish().describe('If given, must be that of the sale'),
  reason: descriptive(255),
  refund_id: identifier
    .nullish()
    .describe(
      'Your own ID of the refund: sent again, it changes nothing. Without one, an `amount` that is sent again is a further refund',
    ),
  program_id: namedProgram.nullish(),
  additional_data: additionalData,
})

export const refundAnswer = z.strictObject({
  success: z.literal(true),
  sale_id: z.int(),
  commission_id: z.int().nullable(),
  refunded_amount: z.int().describe('Of the sale, in all'),
  reversed_amount: z.int().describe('Of the commission, in all'),
  duplicate: z.literal(true).optional().describe('It was known before; nothing changed'),
})

export const auditQuery = pageQuery.extend({
  userId: z.string().max(255).optional(),
  search: searchWord.describe('A part of the action, of its subject or of the name of the partner'),
  sort: sortedBy(['createdAt', 'action'], '-createdAt'),
})
export type AuditQuery = z.infer<typeof auditQuery>

export const auditEntry = z.strictObject({
  id: z.int(),
  userId: z.string().nullable(),
  userName: z.string().nullable(),
  byPartner: z.boolean().describe('Made by a partner in the portal'),
  action: z.string(),
  subject: z.string(),
  partnerName: z.string().nullable().describe('Of the partner whom it is about, or whose commission or payout line'),
  before: z.unknown(),
  after: z.unknown(),
  createdAt: timestamp,
})
