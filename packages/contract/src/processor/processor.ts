import { z } from 'zod'
import { identifier, timestamp } from '../fields.ts'
import { MAX_IDENTIFIER_LENGTH } from '../limits.ts'
import { pageQuery, sortedBy } from '../lists.ts'
import { PROCESSOR_STATUSES } from '../names.ts'

/** Larger than any event that was ever seen, and small enough to be held in memory until its signature is known. */
export const MAX_EVENT_BYTES = 8 * 1024 * 1024

/** After a rotation the old signing secret is good for this long, or until the new one was seen. */
export const PREVIOUS_SECRET_HOURS = 24

/** Somebody who was sent to the processor to connect an account has this long to come back. */
export const CONNECT_MINUTES = 10

/** What became of an event. */
export const EVENT_FATES = ['applied', 'waiting', 'ignored', 'refused'] as const
export type EventFate = (typeof EVENT_FATES)[number]

export const connectProcessorRequest = z.strictObject({
  webhookSecret: z
    .string('must be a string')
    .trim()
    .max(MAX_IDENTIFIER_LENGTH, `must be at most ${MAX_IDENTIFIER_LENGTH} characters`)
    .regex(/^whsec_[\w+/=-]+$/, 'must be the signing secret of your endpoint, which begins with whsec_')
    .describe('Kept encrypted, and never shown again'),
  accountId: z
    .string('must be a string')
    .trim()
    .regex(/^acct_\w{1,200}$/, 'must be an account ID, which begins with acct_')
    .optional(),
})

export const processorConnection = z.strictObject({
  status: z.enum(PROCESSOR_STATUSES),
  kind: z
    .enum(['own', 'platform'])
    .nullable()
    .describe("`own`: the merchant's own endpoint and signing secret; `platform`: through the operator's account"),
  accountId: z.string().nullable(),
  chargesEnabled: z.boolean(),
  payoutsEnabled: z.boolean(),
  detailsSubmitted: z.boolean(),
  connectedAt: timestamp.nullable(),
  webhookUrl: z.string().describe('Where your own endpoint sends its events'),
  secretSetAt: timestamp.nullable(),
  secretConfirmedAt: timestamp.nullable().describe('When the first event came that was signed with the present secret'),
  previousSecretValidUntil: timestamp.nullable().describe('After a rotation, until when the secret before is accepted'),
})
export type ProcessorConnection = z.infer<typeof processorConnection>

export const connectAddress = z.strictObject({
  url: z.string().describe(`Where to send the browser, within ${CONNECT_MINUTES} minutes`),
})

export const processorEventsQuery = pageQuery.extend({
  fate: z.enum(EVENT_FATES).optional(),
  type: identifier.optional().describe('Such as `invoice.paid`'),
  reason: identifier.optional().describe('A reason code'),
  sort: sortedBy(['receivedAt'], '-receivedAt'),
})

export const processorEvent = z.strictObject({
  id: z.string().describe("The processor's own ID of the event"),
  type: z.string(),
  test: z.boolean(),
  createdAt: timestamp.describe("By the processor's clock"),
  receivedAt: timestamp,
  redactedAt: timestamp
    .nullable()
    .describe('Since when it is kept without the person it was about, whose data was erased'),
  accountId: z.string().nullable(),
  apiVersion: z.string().nullable(),
  fate: z.enum(EVENT_FATES),
  reason: z.string().describe('A reason code'),
  sentence: z.string().describe('The reason in plain words'),
  references: z.array(z.string()).describe('The identifiers of the payment that the event states'),
  programId: z.int().nullable().describe('The program of the sale'),
  saleId: z.int().nullable(),
})
export type ProcessorEvent = z.infer<typeof processorEvent>

export const processorEventDetail = processorEvent.extend({
  raw: z.unknown().describe('The event as it was received, but for what was redacted'),
  isRedacted: z
    .boolean()
    .describe('Personal data reads "[redacted]" here, because the caller’s role does not include `member:manage`'),
})

export const replayRequest = z.strictObject({
  since: z
    .string('must be a string')
    .refine(
      (text) => z.iso.date().safeParse(text.slice(0, 10)).success && !Number.isNaN(Date.parse(text)),
      'must be a date such as 2026-11-01',
    )
    .describe('Events that happened at this time or later'),
  dryRun: z.boolean('must be true or false').default(true),
  after: identifier.optional().describe('`next` of the answer before, to go on'),
})

export const replayChange = z.strictObject({
  id: z.string(),
  type: z.string(),
  before: z.strictObject({ fate: z.enum(EVENT_FATES), reason: z.string() }),
  after: z.strictObject({ fate: z.enum(EVENT_FATES), reason: z.string() }),
})

const replayedSale = z.strictObject({
  programId: z.int(),
  saleId: z.int(),
  invoiceId: z.string(),
  partnerId: z.int().nullable().describe('Who is credited'),
  partnerName: z.string().nullable(),
  reason: z.string().nullable().describe('Why nobody is'),
  amountCents: z.int(),
  refundedCents: z.int(),
  commissionCents: z.int().describe('What of its commission is promised'),
  disputedCents: z.int().describe('What of that is held for a dispute'),
  isVoided: z.boolean(),
})

const replayTotals = z.strictObject({
  sales: z.int(),
  salesCents: z.int(),
  refunds: z.int().describe('Sales of which something is refunded, whoever told of it'),
  refundedCents: z.int(),
})

export const replayAnswer = z.strictObject({
  dryRun: z.boolean(),
  events: z.int().describe('How many were processed by this call'),
  remaining: z.int(),
  changes: z.array(replayChange).describe('Events whose fate is another one now'),
  sales: z
    .array(z.strictObject({ before: replayedSale.nullable(), after: replayedSale }))
    .describe('Sales about which anything is other than before: credit, amount, refunds, commission'),
  before: replayTotals.describe('Of all programs of the workspace, all currencies together'),
  after: replayTotals,
  next: z.string().nullable().describe('Send it as `after` to go on; null at the end'),
})
export type ReplayAnswer = z.infer<typeof replayAnswer>

/** What a webhook is answered. Everything genuine is taken; what became of it is in the list of events. */
export const webhookAnswer = z.strictObject({
  success: z.literal(true),
  received: z.literal(true),
  duplicate: z.boolean().optional().describe('It had been received before, and changed nothing'),
  reason: z.string().optional().describe('Why it was kept and belongs to nobody'),
})
