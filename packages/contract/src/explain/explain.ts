import { z } from 'zod'
import { identifier, timestamp } from '../fields.ts'
import { rowNumber } from '../lists.ts'
import { commission } from '../money/money.ts'
import { LOSER_REASONS, type LoserReason, REASONS, type ReasonCode } from './reasons.ts'

export const AUDIENCES = ['merchant', 'partner'] as const
export type Audience = (typeof AUDIENCES)[number]

export const explainQuery = z.object({
  audience: z.enum(AUDIENCES).default('merchant').describe('`partner`: nothing personal and nothing of other partners'),
  partnerId: rowNumber.optional().describe('With audience=partner: who reads it. Absent: the partner who was credited'),
})

/** "Why not?": by whatever the merchant has in hand, and exactly one of them. */
export const whyNotQuery = explainQuery.extend({
  invoice_id: identifier.optional(),
  customer_key: identifier.optional(),
  click_id: identifier.optional(),
})

const reason = z.enum(Object.keys(REASONS) as [ReasonCode, ...ReasonCode[]])
const why = z.enum(Object.keys(LOSER_REASONS) as [LoserReason, ...LoserReason[]])

const explainedClick = z.strictObject({
  clickedAt: timestamp,
  linkId: z.int(),
  aff: z.string().nullable(),
  partnerId: z.int(),
  partnerName: z.string().nullable(),
  why: why.nullable().describe('Why it did not win; null for the click that did'),
})

export const explanation = z.strictObject({
  subject: z.strictObject({
    kind: z.enum(['sale', 'lead', 'invoice', 'customer', 'click']),
    id: z.int().nullable(),
    invoiceId: z.string().nullable(),
    customerKey: z.string().nullable(),
    clickId: z.string().nullable(),
  }),
  outcome: z.enum(['credited', 'uncredited', 'settled', 'provisional', 'waiting', 'not_received']),
  reason,
  sentences: z.array(z.string()).describe('The whole story for a person, in order'),
  facts: z
    .strictObject({
      rule: z.string(),
      ruleVersion: z.int(),
      decidedAt: timestamp,
      decidedOn: z.record(z.string(), z.unknown()).describe('What the rule was given; the same gives the same again'),
      clicks: z.array(explainedClick),
      otherClicks: z.int().describe('Of other partners, where the reader may not see them'),
    })
    .nullable(),
  timeline: z.array(
    z.strictObject({
      at: timestamp,
      event: z.enum(['lead', 'sale', 'commission', 'refund', 'dispute', 'review', 'payout', 'payment']),
      outcome: z.string(),
      reason: reason.nullable(),
      sentence: z.string(),
      decidedOn: z.record(z.string(), z.unknown()).nullable().describe('The facts; null for a partner'),
    }),
  ),
  commission: commission.nullable(),
})
export type Explanation = z.infer<typeof explanation>
