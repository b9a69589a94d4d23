import { z } from 'zod'
import { identifier, timestamp } from '../fields.ts'
import { rowNumber } from '../lists.ts'
import { commission } from '../money/money.ts'
import { LOSER_REASONS, type LoserReason, REASONS, type ReasonCode } from './reasons.ts'

export const AUDIENCES = ['merchant', 'partner'] as const
export type Audience = (typeof AUDIENCES)[number]

export const explainQuery = z.object({
  audience: z
    .enum(AUDIENCES)
    .default('merchant')
    .describe('`partner` leaves out customer data and other partners, so that you can forward it'),
  partnerId: rowNumber
    .optional()
    .describe('With `audience=partner`, the partner to write for. Defaults to the credited partner'),
})

/** Exactly one of the three must be sent. */
export const whyNotQuery = explainQuery.extend({
  invoice_id: identifier.optional().describe('An invoice ID, or any other ID of the payment'),
  customer_key: identifier.optional().describe('A customer key'),
  click_id: identifier.optional().describe('A click ID'),
})

const reason = z.enum(Object.keys(REASONS) as [ReasonCode, ...ReasonCode[]])
const why = z.enum(Object.keys(LOSER_REASONS) as [LoserReason, ...LoserReason[]])

const explainedClick = z.strictObject({
  clickedAt: timestamp,
  linkId: z.int(),
  aff: z.string().nullable(),
  partnerId: z.int(),
  partnerName: z.string().nullable(),
  why: why.nullable().describe('Why the click was not credited; null for the one that was'),
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
  sentences: z
    .array(z.string())
    .describe("The explanation in plain English, in order. Times are in the program's time zone"),
  facts: z
    .strictObject({
      rule: z.string(),
      ruleVersion: z.int(),
      decidedAt: timestamp,
      decidedOn: z.record(z.string(), z.unknown()).describe('The facts the rule decided on'),
      clicks: z.array(explainedClick),
      otherClicks: z.int().describe('Number of clicks left out because they belong to other partners'),
    })
    .nullable(),
  timeline: z.array(
    z.strictObject({
      at: timestamp,
      event: z.enum(['lead', 'sale', 'commission', 'refund', 'dispute', 'review', 'adjustment', 'payout', 'payment']),
      outcome: z.string(),
      reason: reason.nullable(),
      sentence: z.string(),
      decidedOn: z.record(z.string(), z.unknown()).nullable().describe('The facts of this decision; null for partners'),
    }),
  ),
  commission: commission.nullable(),
})
export type Explanation = z.infer<typeof explanation>
