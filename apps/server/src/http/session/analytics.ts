import { analyticsQuery, cohortsQuery, type PeriodQuery } from '@tributary/contract'
import { readAnalytics } from '../../events/analytics/read-analytics.ts'
import { readCohorts } from '../../events/analytics/read-cohorts.ts'
import { addDays } from '../../events/overview/days.ts'
import type { App, Dependencies } from '../context.ts'
import { check } from '../read-json.ts'
import { readReport } from './read-report.ts'
import { requireProgram } from './require-session.ts'

export const analytics = (app: App, dependencies: Dependencies) => {
  const mayRead = requireProgram(dependencies, 'tracking:read')

  app.get('/api/programs/:programId/analytics', mayRead, async (c) => {
    const query = check(analyticsQuery, c.req.query())
    const program = c.get('program')
    const data = await readReport(c, dependencies, {
      ...{ name: 'analytics', query, period: query },
      read: ({ db, at }) => readAnalytics(db, { program, query, at }),
    })
    return c.json({ data })
  })

  app.get('/api/programs/:programId/analytics/cohorts', mayRead, async (c) => {
    const query = check(cohortsQuery, c.req.query())
    const program = c.get('program')
    const data = await readReport(c, dependencies, {
      ...{ name: 'cohorts', query, period: daysWithin(dependencies.clock(), query.months) },
      read: ({ db, at }) => readCohorts(db, { program, query, at }),
    })
    return c.json({ data })
  })
}

/** Days that lie within the last months, in any time zone. */
const daysWithin = (at: Date, months: number): PeriodQuery => ({
  period: '30d',
  dateFrom: addDays(at.toISOString().slice(0, 10), 1 - 28 * (months - 1)),
})
