import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { MAX_COUNTED_TEST_EVENTS } from '../limits.ts'
import { PAYMENT_TRACKING_MODES, PROCESSOR_STATUSES } from '../names.ts'

const step = z.enum(['complete', 'pending'])

const testEvents = z.strictObject({
  testEventCount: z
    .int()
    .max(MAX_COUNTED_TEST_EVENTS)
    .describe(`Number of test events, counted up to ${MAX_COUNTED_TEST_EVENTS}`),
  hasTestEvents: z.boolean().describe('True if there is at least one test event'),
  latestTestEvent: z
    .strictObject({ id: z.int(), timestamp, createdAt: timestamp })
    .nullable()
    .describe('The most recent test event'),
})

/** GET /api/tracking/status/:programId */
export const trackingStatusAnswer = z.strictObject({
  data: z.strictObject({
    programId: z.string().describe('The program ID from the path'),
    stepStatuses: z.strictObject({ pageview: step, referrals: step, payments: step }),
    statistics: z.strictObject({
      pageview: testEvents,
      referrals: testEvents,
      payments: z.strictObject({
        paymentTrackingMode: z.enum(PAYMENT_TRACKING_MODES),
        methodReady: z.boolean().describe('True if the payments step is complete'),
        processorConnectionStatus: z.enum(PROCESSOR_STATUSES),
        isProcessorConnected: z.boolean().describe('True if the connection status is `connected`'),
        processorAccountId: z.string().nullable().describe('Connected account ID; null if not connected'),
        chargesEnabled: z.boolean().describe('Whether the account can accept charges'),
        payoutsEnabled: z.boolean().describe('Whether the account can receive payouts'),
        detailsSubmitted: z.boolean().describe('Whether onboarding details were submitted'),
        connectionDate: timestamp.nullable().describe('When the processor was connected'),
      }),
    }),
    hasPartners: z.boolean().describe('True if the program has at least one approved partner'),
    lastUpdated: timestamp.describe('When this response was generated'),
  }),
})
export type TrackingStatus = z.infer<typeof trackingStatusAnswer>['data']
