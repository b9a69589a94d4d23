import { answerOf } from '../lists.ts'
import { type Operation, programErrors } from '../openapi/operation.ts'
import { analytics, analyticsQuery, cohorts, cohortsQuery } from './analytics.ts'

export const ANALYTICS_OPERATIONS: Operation[] = [
  {
    method: 'get',
    path: '/api/programs/{programId}/analytics',
    caller: 'session',
    permission: 'tracking:read',
    summary: 'Get analytics',
    description:
      'Returns the funnel from clicks to first sales, first sales and renewals by day, and how long conversions took. Amounts are before refunds.',
    query: analyticsQuery,
    answers: [answerOf(analytics)],
    refusals: ['invalid_request', ...programErrors],
  },
  {
    method: 'get',
    path: '/api/programs/{programId}/analytics/cohorts',
    caller: 'session',
    permission: 'tracking:read',
    summary: 'Get customer cohorts',
    description:
      'Groups customers by the month of their first sale and returns their revenue by month since then, before refunds.',
    query: cohortsQuery,
    answers: [answerOf(cohorts)],
    refusals: ['invalid_request', ...programErrors],
  },
]
