import { z } from 'zod'
import { plainText, timestamp } from '../fields.ts'
import { MAX_ROW_ID } from '../limits.ts'
import { pageQuery, rowNumber, sortedBy } from '../lists.ts'
import { PUBLISHED_EVENT_TYPES } from '../outbox/event-types.ts'
import { webAddress } from '../programs/web-address.ts'
import { moment } from '../tracking/events.ts'
import { MAX_COUNTED_PENDING, MAX_RESENT_DELIVERIES, WEBHOOK_DISABLE_DAYS } from './webhook-limits.ts'

export const WEBHOOK_FORMATS = ['standard', 'slack', 'discord'] as const
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]
export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]
/** `member`: someone turned it off. `gone`: it responded with 410. `failing`: every delivery failed for days (`WEBHOOK_DISABLE_DAYS`). */
export const DISABLED_REASONS = ['member', 'gone', 'failing'] as const

const flag = z.boolean('must be true or false')

const eventChoice = z
  .array(z.enum(['*', ...PUBLISHED_EVENT_TYPES], 'must be event types such as "sale.created", or ["*"] for all'), {
    error: 'must be a list of event types such as ["sale.created"], or ["*"] for all',
  })
  .min(1, 'must have at least one event type, or be ["*"] for all')
  .max(100, 'must be at most 100 event types')
  .transform((types) => (types.includes('*') ? ['*' as const] : [...new Set(types)]))
  .describe('Event types to send, or `["*"]` for all of them, including types added later')

const settings = {
  url: webAddress.describe(
    'Where to send events. Private addresses and ports other than 80 and 443 need `WEBHOOK_ALLOW_HOSTS`',
  ),
  events: eventChoice,
  description: plainText(200).nullable().describe('For your own records'),
  includeCustomerData: flag.describe(
    'Add `customer` with the masked email address to the `data` of leads. Needs `member:manage`',
  ),
  ordered: flag.describe(
    'Send one event at a time, in order of `sequence`. A failing event holds back later ones until it is delivered or abandoned',
  ),
  format: z
    .enum(WEBHOOK_FORMATS, 'must be standard, slack or discord')
    .describe('`standard`: the event. `slack` and `discord`: a message about it that these services accept'),
}

export const createWebhookEndpointRequest = z.strictObject({
  ...settings,
  description: settings.description.default(null),
  includeCustomerData: settings.includeCustomerData.default(false),
  ordered: settings.ordered.default(false),
  format: settings.format.default('standard'),
})
export type CreateWebhookEndpoint = z.infer<typeof createWebhookEndpointRequest>

export const changeWebhookEndpointRequest = z
  .strictObject({
    ...settings,
    enabled: flag.describe('Events that happen while an endpoint is disabled are not sent to it later'),
  })
  .partial()
export type ChangeWebhookEndpoint = z.infer<typeof changeWebhookEndpointRequest>

export const webhookEndpoint = z.strictObject({
  id: z.int(),
  url: z.string(),
  events: z.array(z.string()).describe('Event types, or `["*"]`'),
  description: z.string().nullable(),
  includeCustomerData: z.boolean(),
  ordered: z.boolean(),
  format: z.enum(WEBHOOK_FORMATS),
  enabled: z.boolean(),
  disabledReason: z
    .enum(DISABLED_REASONS)
    .nullable()
    .describe(
      `\`member\`: disabled by a member. \`gone\`: the endpoint responded with 410. \`failing\`: every delivery failed for ${WEBHOOK_DISABLE_DAYS} days. Null if enabled`,
    ),
  disabledAt: timestamp.nullable(),
  createdAt: timestamp,
  secretSetAt: timestamp,
  previousSecretValidUntil: timestamp.nullable().describe('After a rotation, when the previous secret stops signing'),
  lastDeliveredAt: timestamp.nullable().describe('When the endpoint last accepted an event'),
  failingSince: timestamp
    .nullable()
    .describe('First failure since the last success; null if the last attempt succeeded'),
  disablesAt: timestamp.nullable().describe('When the endpoint will be disabled if it keeps failing'),
  pending: z.int().describe(`Deliveries that wait or are retried, counted up to ${MAX_COUNTED_PENDING}`),
})
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>

export const webhookEndpointWithSecret = webhookEndpoint.extend({
  secret: z.string().describe('The signing secret, `whsec_…`. It is not shown again'),
})
export type WebhookEndpointWithSecret = z.infer<typeof webhookEndpointWithSecret>

export const webhookDelivery = z.strictObject({
  id: z.int(),
  endpointId: z.int(),
  endpointUrl: z.string().describe('Current address of the endpoint'),
  eventId: z.string().describe('`id` of the event'),
  type: z.string(),
  sequence: z.int(),
  state: z.enum(DELIVERY_STATES).describe('`failed`: abandoned after the last retry. It can be resent'),
  attempts: z.int().describe('Number of attempts'),
  lastStatus: z.int().nullable().describe('HTTP status of the last attempt; null without a response'),
  lastError: z.string().nullable().describe('Why the last attempt failed, in plain English'),
  nextAttemptAt: timestamp.nullable().describe('Null unless `pending` and the endpoint is enabled'),
  createdAt: timestamp,
  deliveredAt: timestamp.nullable(),
})
export type WebhookDelivery = z.infer<typeof webhookDelivery>

export const webhookAttempt = z.strictObject({
  number: z.int(),
  at: timestamp,
  durationMs: z.int(),
  url: z.string(),
  headers: z.record(z.string(), z.string()).describe('Request headers'),
  status: z.int().nullable().describe('HTTP status; null without a response'),
  error: z.string().nullable().describe('Why the attempt failed, in plain English; null if it succeeded'),
  response: z.string().nullable().describe('The first KB of the response'),
})
export type WebhookAttempt = z.infer<typeof webhookAttempt>

export const webhookDeliveryDetail = webhookDelivery.extend({
  webhookId: z.string().describe('The `webhook-id` header. It is the same for every attempt'),
  body: z
    .string()
    .nullable()
    .describe('The request body with the current settings of the endpoint. Null once the event has expired'),
  attemptList: z.array(webhookAttempt).describe('Every attempt, newest first'),
})
export type WebhookDeliveryDetail = z.infer<typeof webhookDeliveryDetail>

export const webhookDeliveriesQuery = pageQuery.extend({
  endpointId: rowNumber.optional().describe('Only deliveries to this endpoint'),
  state: z.enum(DELIVERY_STATES).optional().describe('Only deliveries in this state'),
  type: z.enum(PUBLISHED_EVENT_TYPES).optional().describe('Only events of this type'),
  sort: sortedBy(['createdAt'], '-createdAt'),
})
export type WebhookDeliveriesQuery = z.infer<typeof webhookDeliveriesQuery>

export const resendWebhooksRequest = z.strictObject({
  endpointId: z
    .int('must be a whole number')
    .positive('must be positive')
    .max(MAX_ROW_ID, `must be at most ${MAX_ROW_ID}`)
    .optional()
    .describe('Only this endpoint'),
  since: moment.describe('Resend deliveries that have failed and were created at this time or later'),
})

export const resentWebhooks = z.strictObject({
  resent: z.int().describe(`Deliveries that will be resent, at most ${MAX_RESENT_DELIVERIES} per call`),
  hasMore: z.boolean().describe('True if there are more. Call again to continue'),
  disabled: z
    .int()
    .optional()
    .describe(
      `Deliveries that have failed but are not resent, because their endpoint is disabled, counted up to ${MAX_RESENT_DELIVERIES}. Absent if there are none`,
    ),
})
