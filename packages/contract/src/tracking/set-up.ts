import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { PAYMENT_TRACKING_MODES, PROCESSOR_STATUSES } from '../names.ts'

/** Where a test event came from. Only `dashboard` is not the merchant's side. */
export const TEST_ORIGINS = ['dashboard', 'browser', 'server', 'processor'] as const
export type TestOrigin = (typeof TEST_ORIGINS)[number]

const arrival = z.strictObject({
  at: timestamp,
  test: z.boolean().describe('False for a real event'),
  from: z.enum(['browser', 'server', 'processor']),
  page: z.string().nullable().describe('Of a click: the page that sent it'),
})
export type SetUpArrival = z.infer<typeof arrival>

const received = {
  done: z.boolean(),
  received: arrival.nullable().describe('The latest event from the merchant’s side that completes the step'),
}

/** GET /api/programs/:programId/set-up. A step is done by what the merchant's side has sent, never by the dashboard's own checks. */
export const setUp = z.strictObject({
  programId: z.int(),
  done: z.boolean().describe('True when every step is'),
  steps: z.strictObject({
    website: z.strictObject({ done: z.boolean() }),
    reward: z.strictObject({ done: z.boolean() }),
    script: z.strictObject({ ...received, checkedAt: timestamp.nullable().describe('Latest check by the dashboard') }),
    signUps: z.strictObject({
      ...received,
      checkedAt: timestamp.nullable().describe('Latest check by the dashboard'),
      provisionalAt: timestamp.nullable().describe('Latest sign-up that came without a key and does not count yet'),
    }),
    payments: z.strictObject({
      ...received,
      mode: z.enum(PAYMENT_TRACKING_MODES),
      otherPath: arrival.nullable().describe('The latest sale that came by the path that is not chosen'),
      connection: z.enum(PROCESSOR_STATUSES),
      events: z
        .array(z.strictObject({ type: z.string(), lastReceivedAt: timestamp.nullable() }))
        .describe('The processor events to subscribe to, and when each was last received in this workspace'),
    }),
    partner: z.strictObject({ done: z.boolean(), total: z.int().describe('Partners in any state, at most 2') }),
    link: z.strictObject({ done: z.boolean() }),
  }),
})
export type SetUp = z.infer<typeof setUp>
