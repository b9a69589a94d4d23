import { z } from 'zod'
import { operations } from '../openapi/declaration.ts'
import { analytics, analyticsQuery, cohorts, cohortsQuery } from './analytics.ts'
import {
  breakdown,
  breakdownQuery,
  eventList,
  eventQuery,
  eventsQuery,
  performance,
  performanceQuery,
  trackingEventRow,
} from './events.ts'
import { trackingStatusAnswer } from './tracking-status.ts'

export const TRACKING_STATUS = operations({
  get: {
    method: 'get',
    path: '/api/tracking/status/{programId}',
    permission: 'tracking:read',
    summary: 'Get tracking status',
    description:
      'Reports whether the three setup steps are complete: pageview (a test click arrived), referrals (a test lead arrived) and payments (the processor is connected, or the program uses server-to-server sales).',
    answer: trackingStatusAnswer.shape.data,
  },
})

const EVENTS = '/api/tracking/events/{programId}'

/** Clicks, leads and sales as one list. */
export const TRACKING_EVENTS = operations({
  list: {
    method: 'get',
    path: EVENTS,
    permission: 'tracking:list',
    summary: 'List tracking events',
    description:
      'Lists clicks, leads and sales, newest first. Use `cursor` to page through a list that is still growing.',
    query: eventsQuery,
    response: eventList,
  },
  stream: {
    method: 'get',
    path: `${EVENTS}/stream`,
    permission: 'tracking:list',
    summary: 'Stream tracking events',
    description:
      'A server-sent event stream of new clicks, leads and sales. It stays open until you close it or lose access to the program.',
    stream: 'only',
    response: z
      .string()
      .describe(
        '`text/event-stream`. Each click, lead and sale is an event named `tracking`, with data as in the list. An event named `change`, with the data `{}`, means that something in the program has changed, such as a refund; it is also sent at the start, from which nothing is missed',
      ),
    errors: ['overloaded'],
  },
  get: {
    method: 'get',
    path: `${EVENTS}/{eventType}/{eventId}`,
    permission: 'tracking:list',
    summary: 'Get a tracking event',
    description: 'Returns one click, lead or sale event, live or test.',
    query: eventQuery,
    answer: trackingEventRow,
  },
})

export const REPORTS = operations({
  performance: {
    method: 'get',
    path: '/api/tracking/performance/{programId}',
    permission: 'tracking:read',
    summary: 'Get performance',
    description:
      'Returns clicks, leads, sales, revenue and commissions per day, with totals and the totals of the previous period. Days without events are included with zeros.',
    query: performanceQuery,
    answer: performance,
  },
  breakdown: {
    method: 'get',
    path: '/api/tracking/breakdown/{programId}',
    permission: 'tracking:read',
    summary: 'Get a breakdown',
    description:
      'Ranks partners, groups, links, countries, devices, browsers, operating systems, referrers or landing pages.',
    query: breakdownQuery,
    answer: breakdown,
  },
  analytics: {
    method: 'get',
    path: '/api/programs/{programId}/analytics',
    permission: 'tracking:read',
    summary: 'Get analytics',
    description:
      'Returns the funnel from clicks to first sales, first sales and renewals by day, and how long conversions took. Amounts are before refunds.',
    query: analyticsQuery,
    answer: analytics,
  },
  cohorts: {
    method: 'get',
    path: '/api/programs/{programId}/analytics/cohorts',
    permission: 'tracking:read',
    summary: 'Get customer cohorts',
    description:
      'Groups customers by the month of their first sale and returns their revenue by month since then, before refunds.',
    query: cohortsQuery,
    answer: cohorts,
  },
})
