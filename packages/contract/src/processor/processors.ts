import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { MAX_IDENTIFIER_LENGTH } from '../limits.ts'
import { PROCESSOR_STATUSES } from '../names.ts'

/** Some processors issue tokens with claims. */
const MAX_API_KEY_LENGTH = 4_096

const secret = z
  .string('must be a string')
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_IDENTIFIER_LENGTH, `must be at most ${MAX_IDENTIFIER_LENGTH} characters`)

export const connectRequest = z.strictObject({
  webhookSecret: secret
    .optional()
    .describe(
      'Signing secret of your webhook endpoint at the processor, required for the first connection without an API key that creates the endpoint. Stored encrypted and never shown again. A new one replaces the current one immediately',
    ),
  nextWebhookSecret: secret
    .optional()
    .describe(
      'The secret that will replace the current one. Both are accepted until the first event signed with it arrives, which makes it the current one',
    ),
  accountId: z
    .string('must be a string')
    .trim()
    .min(1, 'must not be empty')
    .max(MAX_IDENTIFIER_LENGTH, `must be at most ${MAX_IDENTIFIER_LENGTH} characters`)
    .optional()
    .describe('Your account at the processor. If sent, events from other accounts are stored but not applied'),
  test: z
    .boolean('must be true or false')
    .optional()
    .describe(
      'Whether the endpoint is of the sandbox, for processors whose events do not say so: every event counts as a test',
    ),
  apiKey: z
    .string('must be a string')
    .trim()
    .min(1, 'must not be empty')
    .max(MAX_API_KEY_LENGTH, `must be at most ${MAX_API_KEY_LENGTH} characters`)
    .optional()
    .describe(
      'A key of your account, to recover events that never arrived. Where `setUp.createsEndpoint` is true and no endpoint is connected, it also creates the endpoint and stores its signing secret. Stored encrypted and never shown again',
    ),
})

const field = z.strictObject({ label: z.string(), placeholder: z.string() })

/** Everything that the dashboard says about a processor. */
export const processorSetUp = z.strictObject({
  place: z.string().describe('Where merchants add the endpoint, such as `your Acme dashboard`'),
  steps: z.array(z.string()).describe('What to do there, in order'),
  metadata: z.string().describe('Where the checkout adds the metadata'),
  example: z.string().describe('Code of a checkout with the metadata'),
  secret: field,
  hasSandbox: z
    .boolean()
    .describe('Whether events do not say if they are tests, so that the merchant says it of the endpoint'),
  createsEndpoint: z.boolean().describe('Whether connecting with an API key creates the endpoint'),
  apiKey: field
    .extend({ permissions: z.array(z.string()) })
    .nullable()
    .describe('A key with which missed events are recovered; null if the processor lists none'),
  account: field.nullable().describe("Null if merchants need not state the account's ID"),
})

export const programProcessor = z.strictObject({
  processor: z.string().describe('The name of the payment processor, as in the path'),
  label: z.string().describe('The name that people know'),
  status: z.enum(PROCESSOR_STATUSES),
  kind: z
    .enum(['own', 'platform'])
    .nullable()
    .describe("`own`: the merchant's webhook endpoint at the processor. `platform`: through the operator's account"),
  accountId: z.string().nullable(),
  endpointUrl: z.string().describe('The URL to enter for the webhook endpoint at the processor'),
  managesEndpoint: z
    .boolean()
    .describe(
      'Whether the endpoint was created here with your API key. Then it can be updated here, and disconnecting removes it',
    ),
  eventTypes: z
    .array(
      z.strictObject({
        type: z.string(),
        subscribed: z
          .boolean()
          .describe(
            'Whether the endpoint is known to be subscribed: it was created here, or such an event arrived since it was connected',
          ),
        lastSeenAt: timestamp.nullable().describe('When the workspace last received one'),
      }),
    )
    .describe('The events to subscribe to'),
  connectedAt: timestamp.nullable(),
  secretSetAt: timestamp.nullable(),
  secretConfirmedAt: timestamp.nullable().describe('When the first event signed with the current secret arrived'),
  hasNextSecret: z.boolean().describe('Whether a next secret waits for its first event'),
  test: z.boolean().describe('Whether every event counts as a test'),
  hasApiKey: z.boolean().describe('Whether an API key is saved'),
  flagsReportedAt: timestamp.nullable().describe('When the processor last reported what the account can do'),
  previousSecretValidUntil: timestamp.nullable().describe('After a rotation, when the previous secret stops working'),
  chargesEnabled: z.boolean(),
  payoutsEnabled: z.boolean(),
  detailsSubmitted: z.boolean(),
  offersPlatform: z.boolean().describe("Whether it can be connected through the operator's account"),
  setUp: processorSetUp,
})
export type ProgramProcessor = z.infer<typeof programProcessor>
