import { z } from 'zod'
import { identifier, timestamp, whose } from '../fields.ts'
import { pageNumber, pageQuery, pagination, rowNumber } from '../lists.ts'
import { EVENT_TYPES, PERIODS } from '../names.ts'

const date = z.iso.date()
const time = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time' })

/** As the calendar has it: 30 February is refused here, not by the database. */
export const moment = z
  .string('must be a date or an ISO 8601 time')
  .refine(
    (text) => /^(19|20|21)/.test(text) && (date.safeParse(text).success || time.safeParse(text).success),
    'must be a date or an ISO 8601 time',
  )

type Range = { dateFrom?: string | undefined; dateTo?: string | undefined }
const DAY_MS = 86_400_000
const isDay = (text: string) => !text.includes('T')

/** A day lasts until its end wherever the program is: only what is reversed in every time zone is refused. */
export const isInOrder = ({ dateFrom, dateTo }: Range) => {
  if (dateFrom === undefined || dateTo === undefined) return true
  const slack = isDay(dateFrom) === isDay(dateTo) ? 0 : 2 * DAY_MS
  return Date.parse(dateFrom) <= Date.parse(dateTo) + slack
}

export const REVERSED = { message: 'must not be after dateTo', path: ['dateFrom'] }

/** A date without a time is that whole day, in the time zone of the program. */
export const eventsQuery = pageQuery
  .extend({
    eventType: z.enum(EVENT_TYPES).optional(),
    dateFrom: moment.optional(),
    dateTo: moment.optional(),
    partnerId: rowNumber.optional(),
    linkId: rowNumber.optional(),
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, 'must be a country code of two letters')
      .toUpperCase()
      .optional()
      .describe('Of clicks: two letters, as DE'),
    test: z.enum(['true', 'false']).optional().describe('Only test events, or none'),
    search: identifier
      .optional()
      .describe('Exactly a click ID, a customer key, an invoice ID or any other name of its payment'),
    cursor: z
      .string()
      .max(200, 'must be a nextCursor')
      .optional()
      .describe('`nextCursor` of the page before. Rows that come meanwhile do not move the pages that follow'),
  })
  .refine(isInOrder, REVERSED)
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

export const trackingEventRow = trackingEvent.extend(whose)
export type TrackingEventRow = z.infer<typeof trackingEventRow>

export const eventList = z.strictObject({
  data: z.array(trackingEventRow),
  meta: z.strictObject({
    pagination,
    nextCursor: z.string().nullable(),
    atLeast: z.boolean().describe('There may be more than `total`; nobody counts them all'),
  }),
})

export const eventQuery = z.object({
  test: z.enum(['true', 'false']).default('false'),
  timestamp: time.optional().describe('Of a click, as the list has it: it is found by it at once'),
})

export const TIMELINE_EVENTS = ['click', 'lead', 'sale', 'commission', 'refund', 'dispute'] as const

/** What happened with a customer, oldest first. */
export const timeline = z.array(
  z.strictObject({
    at: timestamp,
    event: z.enum(TIMELINE_EVENTS),
    id: z.string(),
    linkId: z.int().nullable(),
    partnerId: z.int().nullable(),
    ...whose,
    details: z.record(z.string(), z.unknown()),
  }),
)
export type TimelineEntry = z.infer<typeof timeline>[number]

const day = z
  .string('must be a date')
  .refine((text) => /^(19|20|21)/.test(text) && date.safeParse(text).success, 'must be a date such as 2026-03-01')

const MAX_DAYS = 1_100

/** A period that ends today, or days of one's own. */
const period = z.object({
  period: z.enum(PERIODS).default('30d'),
  dateFrom: day.optional().describe('Instead of a period: the first day, in the time zone of the program'),
  dateTo: day.optional().describe('The last day; today if absent'),
})
export type PeriodQuery = z.infer<typeof period>

const hasStart = ({ dateFrom, dateTo }: PeriodQuery) => dateFrom !== undefined || dateTo === undefined
const isShort = ({ dateFrom, dateTo }: PeriodQuery) =>
  dateFrom === undefined ||
  Date.parse(dateTo ?? new Date().toISOString()) - Date.parse(dateFrom) < MAX_DAYS * 86_400_000

const WITH_START = { message: 'must be sent with dateTo', path: ['dateFrom'] }
const SHORT = { message: `must be at most ${MAX_DAYS} days before dateTo`, path: ['dateFrom'] }

export const performanceQuery = period
  .extend({ partnerId: rowNumber.optional() })
  .refine(hasStart, WITH_START)
  .refine(isInOrder, REVERSED)
  .refine(isShort, SHORT)

export const amounts = z.array(z.strictObject({ currency: z.string(), amountCents: z.int() }))

const counts = z.strictObject({
  clicks: z.int(),
  leads: z.int(),
  sales: z.int(),
  revenue: amounts.describe('Of credited sales'),
  commissions: amounts.describe('As they were earned, before refunds'),
})
export type Counts = z.infer<typeof counts>

export const performance = z.strictObject({
  period: z.enum([...PERIODS, 'custom']),
  timezone: z.string(),
  asOf: timestamp.describe('When this was computed: now, unless it takes long; at most ten minutes ago'),
  dateFrom: z.string(),
  dateTo: z.string(),
  totals: counts,
  previous: z
    .strictObject({ dateFrom: z.string(), dateTo: z.string(), totals: counts })
    .nullable()
    .describe('As many days before; null for `all`'),
  days: z.array(counts.extend({ date: z.string().describe('A day in the time zone of the program') })),
})
export type Performance = z.infer<typeof performance>

export const BREAKDOWNS = ['partner', 'link', 'country', 'device', 'browser', 'os', 'referrer', 'landing'] as const

const breakdownFields = period.extend({
  by: z.enum(BREAKDOWNS),
  partnerId: rowNumber.optional().describe('With by=link: only of this partner'),
  sort: z.enum(['clicks', 'leads', 'sales']).default('clicks').describe('Most of these first'),
  limit: pageNumber.max(100, 'must be at most 100').default(10),
})
export const breakdownQuery = breakdownFields
  .refine(hasStart, WITH_START)
  .refine(isInOrder, REVERSED)
  .refine(isShort, SHORT)
export type BreakdownQuery = z.infer<typeof breakdownFields>

export const breakdown = z.strictObject({
  by: z.enum(BREAKDOWNS),
  dateFrom: z.string(),
  dateTo: z.string(),
  asOf: timestamp.describe('When this was computed: now, unless it takes long; at most ten minutes ago'),
  rows: z.array(
    counts.extend({
      value: z.string().nullable().describe('The ID of a partner or link, else the value itself; null: not known'),
      label: z.string().nullable().describe('What people call it'),
    }),
  ),
})
export type Breakdown = z.infer<typeof breakdown>
