import { z } from 'zod'
import { identifier, timestamp } from '../fields.ts'
import { rowNumber } from '../lists.ts'
import { commission } from '../money/money.ts'
import { LINK_TARGETS, type Part } from './parts.ts'
import {
  CODE_LOSER_REASONS,
  type CodeLoserReason,
  EVENT_REASONS,
  type EventReason,
  LOSER_REASONS,
  type LoserReason,
  REASONS,
  type ReasonCode,
} from './reasons.ts'

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

const parts = z
  .array(
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('text'), text: z.string() }),
      z.strictObject({ type: z.literal('code'), text: z.string().describe('A name or value to use as it is') }),
      z.strictObject({
        type: z.literal('link'),
        text: z.string(),
        to: z.enum(LINK_TARGETS),
        id: z.int().nullable().describe('ID of the partner, sale, lead or payout; null for a page'),
      }),
      z.strictObject({ type: z.literal('amount'), amountCents: z.int(), currency: z.string() }),
      z.strictObject({
        type: z.literal('time'),
        at: timestamp,
        timeZone: z.string().describe("The program's time zone"),
        precision: z.enum(['day', 'minute']),
      }),
    ]),
  )
  .describe('The sentence in pieces, to format amounts and times and to link names') satisfies z.ZodType<Part[]>

const STEP_KINDS = ['reason', 'click', 'history', 'fact', 'evidence', 'advice'] as const

/** Codes of steps that no reason code covers. */
const FACT_CODES = [
  'click_recorded',
  'click_credited',
  'other_click_named',
  'more_clicks',
  'clicks_of_others',
  'sales_waiting',
  'commission_held',
  'hold_released',
  'commission_payable',
  'commission_in_payout',
  'commission_disputed',
  'commission_in_review',
  'commission_paid',
  'commission_reversed',
  'rule_matched',
  'rule_unmatched',
  'rule_maximum',
  'commission_added',
  'commission_taken_back',
  'code_credited',
  'customer_matches_partner',
  'seconds_since_click',
  'ad_parameters',
  'click_from_data_center',
  'same_payout_destination',
] as const
type FactCode = (typeof FACT_CODES)[number]

const names = <Name extends string>(table: Record<Name, unknown>) => Object.keys(table) as Name[]

const stepCode = z.enum<(ReasonCode | LoserReason | CodeLoserReason | EventReason | FactCode)[]>([
  ...new Set([
    ...names(REASONS),
    ...names(LOSER_REASONS),
    ...names(CODE_LOSER_REASONS),
    ...names(EVENT_REASONS),
    ...FACT_CODES,
  ]),
])

export const step = z.strictObject({
  kind: z
    .enum(STEP_KINDS)
    .describe(
      '`reason`: what was decided and why. `click`: why a click was or was not credited. `history`: what happened later, also in `timeline`. `fact`: how things are now. `evidence`: what you can judge the sale by. `advice`: what you can do',
    ),
  code: stepCode.describe('Stable: a reason code, or what the step is about'),
  parts,
})
export type Step = z.infer<typeof step>

const explainedClick = z.strictObject({
  clickedAt: timestamp,
  linkId: z.int(),
  aff: z.string().nullable(),
  partnerId: z.int(),
  partnerName: z.string().nullable(),
  why: why.nullable().describe('Why the click was not credited; null for the one that was'),
})

const explainedCode = z.strictObject({
  code: z.string().nullable().describe('Null for a customer whom a code bound earlier'),
  partnerId: z.int().nullable().describe('The owner at the time; null if there was none'),
  partnerName: z.string().nullable(),
  why: z.string().nullable().describe('Why the code was not credited; null for the credited one'),
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
  steps: z.array(step).describe('The explanation in order. `sentences` has the same as text'),
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
      codes: z
        .array(explainedCode)
        .describe('The promotion codes stated with it, the credited one first. Partners see only their own'),
    })
    .nullable(),
  timeline: z.array(
    z.strictObject({
      at: timestamp,
      event: z.enum(['lead', 'sale', 'commission', 'refund', 'dispute', 'review', 'adjustment', 'payout', 'payment']),
      outcome: z.string(),
      reason: reason.nullable(),
      sentence: z.string(),
      parts,
      decidedOn: z.record(z.string(), z.unknown()).nullable().describe('The facts of this decision; null for partners'),
    }),
  ),
  commission: commission.nullable(),
})
export type Explanation = z.infer<typeof explanation>
