import { z } from 'zod'
import { identifier, partnerAndLink, timestamp } from '../fields.ts'
import { MAX_LIVE_EVENTS } from '../limits.ts'
import { pageNumber, pageQuery, pagination, rowNumber } from '../lists.ts'
import { EVENT_TYPES, PERIODS } from '../names.ts'

const date = z.iso.date()
const time = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time' })

/** Rejects impossible dates such as February 30 before they reach Postgres. */
export const moment = z
  .string('must be a date or an ISO 8601 time')
  .refine(
    (text) => /^(19|20|21)/.test(text) && (date.safeParse(text).success || time.safeParse(text).success),
    'must be a date or an ISO 8601 time',
  )

type Range = { dateFrom?: string | undefined; dateTo?: string | undefined }
const DAY_MS = 86_400_000
const isDay = (text: string) => !text.includes('T')

/** A date and a time are compared with two days of slack, so that only ranges reversed in every time zone are rejected. */
export const isInOrder = ({ dateFrom, dateTo }: Range) => {
  if (dateFrom === undefined || dateTo === undefined) return true
  const slack = isDay(dateFrom) === isDay(dateTo) ? 0 : 2 * DAY_MS
  return Date.parse(dateFrom) <= Date.parse(dateTo) + slack
}

export const REVERSED = { message: 'must not be after dateTo', path: ['dateFrom'] }

export const eventsQuery = pageQuery
  .extend({
    eventType: z.enum(EVENT_TYPES).optional().describe('Only events of this type'),
    dateFrom: moment.optional().describe("First day in the program's time zone, or an ISO 8601 time"),
    dateTo: moment.optional().describe("Last day in the program's time zone, or an ISO 8601 time"),
    partnerId: rowNumber.optional().describe('Only rows of this partner'),
    linkId: rowNumber.optional().describe('Only rows of this link'),
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, 'must be a two-letter country code such as DE')
      .toUpperCase()
      .optional()
      .describe('Two-letter country code of the click, such as DE'),
    test: z.enum(['true', 'false']).optional().describe('Only test events, or only live ones'),
    search: identifier
      .optional()
      .describe('A click ID, customer key, invoice ID or other ID of the payment, exact match'),
    cursor: z
      .string()
      .max(200, 'must be a nextCursor from an earlier response')
      .optional()
      .describe('`nextCursor` of the previous page. New events do not shift the following pages'),
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
  details: z.record(z.string(), z.unknown()).describe('Further fields, depending on the event type'),
})
export type TrackingEvent = z.infer<typeof trackingEvent>

export const trackingEventRow = trackingEvent.extend(partnerAndLink)
export type TrackingEventRow = z.infer<typeof trackingEventRow>

export const eventList = z.strictObject({
  data: z.array(trackingEventRow),
  meta: z.strictObject({
    pagination,
    nextCursor: z.string().nullable().describe('Send it as `cursor` to get the next page; null at the end'),
    atLeast: z.boolean().describe('True if `total` is a lower bound, because counting every row would take too long'),
  }),
})

export const eventQuery = z.object({
  test: z.enum(['true', 'false']).default('false').describe('True for a test event'),
  timestamp: time.optional().describe("A click's timestamp from the list. Makes the lookup faster"),
})

export const TIMELINE_EVENTS = ['click', 'lead', 'sale', 'commission', 'refund', 'dispute'] as const

/** Everything that happened to a customer, oldest first. */
export const timeline = z.array(
  z.strictObject({
    at: timestamp,
    event: z.enum(TIMELINE_EVENTS),
    id: z.string(),
    linkId: z.int().nullable(),
    partnerId: z.int().nullable(),
    ...partnerAndLink,
    details: z.record(z.string(), z.unknown()),
  }),
)
export type TimelineEntry = z.infer<typeof timeline>[number]

const day = z
  .string('must be a date')
  .refine((text) => /^(19|20|21)/.test(text) && date.safeParse(text).success, 'must be a date such as 2026-03-01')

const MAX_DAYS = 1_100

const period = z.object({
  period: z.enum(PERIODS).default('30d').describe('A period that ends today'),
  dateFrom: day.optional().describe("First day in the program's time zone, instead of `period`"),
  dateTo: day.optional().describe('Last day. Defaults to today'),
})
export type PeriodQuery = z.infer<typeof period>

const hasStart = ({ dateFrom, dateTo }: PeriodQuery) => dateFrom !== undefined || dateTo === undefined
const isShort = ({ dateFrom, dateTo }: PeriodQuery) =>
  dateFrom === undefined ||
  Date.parse(dateTo ?? new Date().toISOString()) - Date.parse(dateFrom) < MAX_DAYS * 86_400_000

const WITH_START = { message: 'must be sent if dateTo is sent', path: ['dateFrom'] }
const SHORT = { message: `must be at most ${MAX_DAYS} days before dateTo`, path: ['dateFrom'] }

export const performanceQuery = period
  .extend({
    partnerId: rowNumber.optional().describe('Only this partner'),
    compare: z.enum(['previous']).optional().describe('Adds the days and hours of the previous period'),
  })
  .refine(hasStart, WITH_START)
  .refine(isInOrder, REVERSED)
  .refine(isShort, SHORT)

export const periodQuery = period.refine(hasStart, WITH_START).refine(isInOrder, REVERSED).refine(isShort, SHORT)

export const amounts = z.array(z.strictObject({ currency: z.string(), amountCents: z.int() }))

/** When a report was calculated. */
export const calculated = {
  asOf: timestamp.describe('When this was calculated'),
  kept: z
    .boolean()
    .describe(
      `False if this was calculated for the request. True if the period has more than ${MAX_LIVE_EVENTS.toLocaleString('en-US')} events: then it can be up to ten minutes old, and reading it starts a new calculation`,
    ),
}

const counts = z.strictObject({
  clicks: z.int(),
  leads: z.int(),
  sales: z.int(),
  revenue: amounts.describe('Revenue of credited sales'),
  commissions: amounts.describe('Commissions earned, before reversals'),
})
export type Counts = z.infer<typeof counts>

const days = z.array(counts.extend({ date: z.string().describe("A day in the program's time zone") }))
const hours = z.array(counts.extend({ startsAt: timestamp.describe('Start of an hour, counted from midnight') }))

export const performance = z.strictObject({
  period: z.enum([...PERIODS, 'custom']),
  timezone: z.string(),
  ...calculated,
  dateFrom: z.string(),
  dateTo: z.string(),
  totals: counts,
  previous: z
    .strictObject({
      dateFrom: z.string(),
      dateTo: z.string(),
      totals: counts,
      toDate: counts
        .nullable()
        .describe(
          'If the period ends today: previous totals up to this time of day, to the quarter hour. Null if it does not, or if hours are no longer known',
        ),
      days: days.nullable().describe('Only with `compare=previous`'),
      hours: hours.nullable().describe('With `compare=previous`; like `hours`'),
    })
    .nullable()
    .describe('The same number of days before; null for `all`'),
  days,
  hours: hours
    .nullable()
    .describe(
      'If the period is one day of the last 100, or of the last 35 for one partner; null otherwise. Days have 23 to 25 hours',
    ),
})
export type Performance = z.infer<typeof performance>

export const BREAKDOWNS = [
  'partner',
  'group',
  'link',
  'country',
  'device',
  'browser',
  'os',
  'referrer',
  'landing',
] as const

const breakdownFields = period.extend({
  by: z.enum(BREAKDOWNS).describe('What to group by'),
  partnerId: rowNumber.optional().describe('With `by=link`, only links of this partner'),
  groupId: rowNumber.optional().describe('With `by=partner`, only partners who are in this group now'),
  sort: z
    .enum(['clicks', 'leads', 'sales', 'revenue', 'commissions'])
    .default('clicks')
    .describe("Which figure to rank by, highest first. Amounts are compared in the program's currency"),
  limit: pageNumber.max(100, 'must be at most 100').default(10).describe('Number of rows'),
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
  ...calculated,
  rows: z.array(
    counts.extend({
      value: z
        .string()
        .nullable()
        .describe(
          'Partner, group or link ID, or the value itself; null if unknown. Partners count in their current group',
        ),
      label: z.string().nullable().describe('Display name'),
      groupName: z.string().optional().describe('With `by=partner`, the group the partner is in now'),
    }),
  ),
})
export type Breakdown = z.infer<typeof breakdown>
