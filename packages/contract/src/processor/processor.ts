import { z } from 'zod'
import { identifier, timestamp } from '../fields.ts'
import { MAX_IDENTIFIER_LENGTH } from '../limits.ts'
import { pageQuery, sortedBy } from '../lists.ts'
import { PROCESSOR_STATUSES } from '../names.ts'

/** Larger than any real event, and small enough to hold in memory until the signature is verified. */
export const MAX_EVENT_BYTES = 8 * 1024 * 1024

/** After a rotation, the old signing secret works this long or until an event is signed with the new one. */
export const PREVIOUS_SECRET_HOURS = 24

/** How long a merchant has to return from the processor's consent page. */
export const CONNECT_MINUTES = 10

export const EVENT_OUTCOMES = ['applied', 'waiting', 'ignored', 'refused'] as const
export type EventOutcome = (typeof EVENT_OUTCOMES)[number]

export const connectProcessorRequest = z.strictObject({
  webhookSecret: z
    .string('must be a string')
    .trim()
    .max(MAX_IDENTIFIER_LENGTH, `must be at most ${MAX_IDENTIFIER_LENGTH} characters`)
    .regex(/^whsec_[\w+/=-]+$/, 'must be the signing secret of your webhook endpoint (it starts with whsec_)')
    .describe('Signing secret of your webhook endpoint at the processor. Stored encrypted and never shown again'),
  accountId: z
    .string('must be a string')
    .trim()
    .regex(/^acct_\w{1,200}$/, 'must be an account ID (it starts with acct_)')
    .optional()
    .describe('Your processor account ID. If sent, events from other accounts are stored but not applied'),
})

export const processorConnection = z.strictObject({
  status: z.enum(PROCESSOR_STATUSES),
  kind: z
    .enum(['own', 'platform'])
    .nullable()
    .describe("`own`: the merchant's webhook endpoint at the processor. `platform`: through the operator's account"),
  accountId: z.string().nullable(),
  chargesEnabled: z.boolean(),
  payoutsEnabled: z.boolean(),
  detailsSubmitted: z.boolean(),
  connectedAt: timestamp.nullable(),
  webhookUrl: z.string().describe('The URL to enter for the webhook endpoint at the processor'),
  secretSetAt: timestamp.nullable(),
  secretConfirmedAt: timestamp.nullable().describe('When the first event signed with the current secret arrived'),
  previousSecretValidUntil: timestamp.nullable().describe('After a rotation, when the previous secret stops working'),
})
export type ProcessorConnection = z.infer<typeof processorConnection>

export const connectAddress = z.strictObject({
  url: z.string().describe(`Redirect the browser here. Valid for ${CONNECT_MINUTES} minutes`),
})

export const processorEventsQuery = pageQuery.extend({
  fate: z.enum(EVENT_OUTCOMES).optional().describe('Only events with this outcome'),
  type: identifier.optional().describe('Event type, such as `invoice.paid`'),
  reason: identifier.optional().describe('Reason code'),
  sort: sortedBy(['receivedAt'], '-receivedAt'),
})

const PROCESSOR_NAME = 'The name of the payment processor'
const EVENT_SCOPE = 'The account within which the event ID is unique; empty if no two accounts share one'

/** Two processors, or two accounts of one, can use the same event ID. */
export const processorEventQuery = z.object({
  processor: identifier.optional().describe(PROCESSOR_NAME),
  scope: z
    .union([z.literal(''), identifier])
    .optional()
    .describe(EVENT_SCOPE),
})

export const processorEvent = z.strictObject({
  id: z.string().describe("The processor's event ID"),
  processor: z.string().describe(PROCESSOR_NAME),
  scope: z.string().describe(EVENT_SCOPE),
  type: z.string(),
  test: z.boolean().describe('True for a test mode event'),
  createdAt: timestamp.describe("By the processor's clock. ISO 8601 in UTC, with milliseconds"),
  receivedAt: timestamp,
  redactedAt: timestamp.nullable().describe('When personal data was erased from the event'),
  accountId: z.string().nullable(),
  apiVersion: z.string().nullable(),
  fate: z
    .enum(EVENT_OUTCOMES)
    .describe('`applied`; `waiting` for another event; `ignored`: nothing to do; `refused`: must not be applied'),
  reason: z.string().describe('Reason code'),
  sentence: z.string().describe('The reason in plain English'),
  references: z.array(z.string()).describe('The payment IDs in the event'),
  programId: z.int().nullable().describe('The program of the sale'),
  saleId: z.int().nullable(),
})
export type ProcessorEvent = z.infer<typeof processorEvent>

export const processorEventDetail = processorEvent.extend({
  raw: z.unknown().describe('The event as received'),
  isRedacted: z
    .boolean()
    .describe(
      'True if personal data is replaced with "[redacted]", because your role does not include `member:manage`',
    ),
})

export const replayRequest = z.strictObject({
  since: z
    .string('must be a string')
    .refine(
      (text) => z.iso.date().safeParse(text.slice(0, 10)).success && !Number.isNaN(Date.parse(text)),
      'must be a date such as 2026-11-01',
    )
    .describe('Replay events from this time on'),
  dryRun: z.boolean('must be true or false').default(true).describe('Only report what would change'),
  after: z
    .string('must be a string')
    .regex(/^\d{1,15}$/, 'must be `next` from the previous response')
    .optional()
    .describe('`next` from the previous response, to continue'),
})

export const replayChange = z.strictObject({
  id: z.string(),
  type: z.string(),
  before: z.strictObject({ fate: z.enum(EVENT_OUTCOMES), reason: z.string() }),
  after: z.strictObject({ fate: z.enum(EVENT_OUTCOMES), reason: z.string() }),
})

const replayedSale = z.strictObject({
  programId: z.int(),
  saleId: z.int(),
  invoiceId: z.string(),
  partnerId: z.int().nullable().describe('The credited partner'),
  partnerName: z.string().nullable(),
  reason: z.string().nullable().describe('Reason code if no partner is credited'),
  amountCents: z.int(),
  refundedCents: z.int(),
  commissionCents: z.int().describe('The commission, net of reversals'),
  disputedCents: z.int().describe('How much of the commission is in dispute'),
  isVoided: z.boolean(),
})

const replayTotals = z.strictObject({
  sales: z.int(),
  salesCents: z.int(),
  refunds: z.int().describe('Number of sales with a full or partial refund'),
  refundedCents: z.int(),
})

export const replayAnswer = z.strictObject({
  dryRun: z.boolean(),
  events: z.int().describe('Events processed by this call'),
  remaining: z.int().describe('Events still to be processed'),
  changes: z.array(replayChange).describe('Events with a different outcome than before'),
  sales: z
    .array(z.strictObject({ before: replayedSale.nullable(), after: replayedSale }))
    .describe('Sales with a different partner, amount, refund or commission than before'),
  before: replayTotals.describe('Totals across all programs of the workspace, with all currencies added together'),
  after: replayTotals,
  next: z.string().nullable().describe('Send it as `after` to continue; null at the end'),
})
export type ReplayAnswer = z.infer<typeof replayAnswer>

/** Every correctly signed event is accepted. The list of processor events shows its effect. */
export const webhookAnswer = z.strictObject({
  success: z.literal(true).describe('Always true: errors have another shape'),
  received: z.literal(true).describe('The event is stored'),
  duplicate: z.boolean().optional().describe('The event was already received; nothing changed'),
  reason: z.string().optional().describe('Why the event was stored but not applied to any program'),
})
