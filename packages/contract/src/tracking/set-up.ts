import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { PAYMENT_TRACKING_MODES, PROCESSOR_STATUSES } from '../names.ts'

/** Where a test event came from. All but `dashboard` prove that the merchant's integration works. */
export const TEST_ORIGINS = ['dashboard', 'browser', 'server', 'processor'] as const
export type TestOrigin = (typeof TEST_ORIGINS)[number]

const arrival = z.strictObject({
  at: timestamp,
  test: z.boolean().describe('False for a real event'),
  from: z.enum(['browser', 'server', 'processor']),
  page: z.string().nullable().describe('The page that sent the click'),
})
export type SetUpArrival = z.infer<typeof arrival>

const received = {
  done: z.boolean(),
  received: arrival.nullable().describe('The latest event that completes the step'),
}

/** GET /api/programs/:programId/set-up. A step is done once what it promises has happened, but not by checks of the dashboard. */
export const setUp = z.strictObject({
  programId: z.int(),
  done: z.boolean().describe('True if every step is done'),
  steps: z.strictObject({
    website: z.strictObject({ done: z.boolean() }),
    reward: z.strictObject({ done: z.boolean() }),
    script: z.strictObject({
      ...received,
      checkedAt: timestamp.nullable().describe('Time of the latest check made by the dashboard'),
    }),
    signUps: z.strictObject({
      ...received,
      checkedAt: timestamp.nullable().describe('Time of the latest check made by the dashboard'),
      provisionalAt: timestamp.nullable().describe('Time of the latest provisional lead'),
    }),
    payments: z.strictObject({
      ...received,
      mode: z.enum(PAYMENT_TRACKING_MODES),
      switchTo: z
        .enum(PAYMENT_TRACKING_MODES)
        .nullable()
        .describe('The other payment tracking mode, if its credited sales complete the step'),
      otherPath: arrival.nullable().describe('The latest sale that arrived by the other payment tracking mode'),
      connection: z.enum(PROCESSOR_STATUSES),
      events: z
        .array(z.strictObject({ type: z.string(), lastReceivedAt: timestamp.nullable() }))
        .describe('Processor events to subscribe to, and when the workspace last received each'),
    }),
    partner: z.strictObject({ done: z.boolean(), total: z.int().describe('Partners in any status, counted up to 2') }),
    link: z.strictObject({ done: z.boolean() }),
  }),
})
export type SetUp = z.infer<typeof setUp>
