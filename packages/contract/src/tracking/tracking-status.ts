import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { MAX_COUNTED_TEST_EVENTS } from '../limits.ts'
import { PAYMENT_TRACKING_MODES, PROCESSOR_STATUSES } from '../names.ts'

const step = z.enum(['complete', 'pending'])

const testEvents = z.strictObject({
  testEventCount: z.int().max(MAX_COUNTED_TEST_EVENTS),
  hasTestEvents: z.boolean(),
  latestTestEvent: z.strictObject({ id: z.int(), timestamp, createdAt: timestamp }).nullable(),
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
        methodReady: z.boolean().describe('True when the payments step is complete'),
        processorConnectionStatus: z.enum(PROCESSOR_STATUSES),
        isProcessorConnected: z.boolean(),
        processorAccountId: z.string().nullable(),
        chargesEnabled: z.boolean(),
        payoutsEnabled: z.boolean(),
        detailsSubmitted: z.boolean(),
        connectionDate: timestamp.nullable(),
      }),
    }),
    hasPartners: z.boolean().describe('True when at least one partner of the program is approved'),
    lastUpdated: timestamp,
  }),
})
export type TrackingStatus = z.infer<typeof trackingStatusAnswer>['data']
