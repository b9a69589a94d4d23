import { z } from 'zod'
import { timestamp } from './fields.ts'
import { pageQuery } from './lists.ts'
import { EVENT_TYPES, PERIODS } from './names.ts'

const date = z.iso.date()
const time = z.iso.datetime({ offset: true })

/** As the calendar has it: 30 February is refused here, not by the database. */
const moment = z
  .string('must be a date or an ISO 8601 time')
  .refine(
    (text) => /^(19|20|21)/.test(text) && (date.safeParse(text).success || time.safeParse(text).success),
    'must be a date or an ISO 8601 time',
  )

/** A date without a time is that whole day, in the time zone of the program. */
export const eventsQuery = pageQuery.extend({
  eventType: z.enum(EVENT_TYPES).optional(),
  dateFrom: moment.optional(),
  dateTo: moment.optional(),
})
export type EventsQuery = z.infer<typeof eventsQuery>

export const trackingEvent = z.strictObject({
  id: z.string(),
  eventType: z.enum(EVENT_TYPES),
  test: z.boolean(),
  timestamp,
  clickId: z.string().nullable(),
  customerKey: z.string().nullable(),
  linkId: z.int().nullable(),
  partnerId: z.int().nullable(),
  details: z.record(z.string(), z.unknown()).describe('What else is known of an event of this type'),
})
export type TrackingEvent = z.infer<typeof trackingEvent>

export const performanceQuery = z.object({ period: z.enum(PERIODS).default('30d') })

const revenue = z.array(z.strictObject({ currency: z.string(), amountCents: z.int() }))

const counts = z.strictObject({ clicks: z.int(), leads: z.int(), sales: z.int(), revenue })

export const performance = z.strictObject({
  period: z.enum(PERIODS),
  timezone: z.string(),
  totals: counts,
  days: z.array(counts.extend({ date: z.string().describe('A day in the time zone of the program') })),
})
export type Performance = z.infer<typeof performance>
