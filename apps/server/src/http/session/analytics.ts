import { analyticsQuery, cohortsQuery } from '@tributary/contract'
import { readAnalytics } from '../../events/analytics/read-analytics.ts'
import { readCohorts } from '../../events/analytics/read-cohorts.ts'
import type { App, Dependencies } from '../context.ts'
import { check } from '../read-json.ts'
import { requireProgram } from './require-session.ts'

export const analytics = (app: App, dependencies: Dependencies) => {
  const { reports, slowAnswers } = dependencies
  const mayRead = requireProgram(dependencies, 'tracking:read')

  app.get('/api/programs/:programId/analytics', mayRead, async (c) => {
    const query = check(analyticsQuery, c.req.query())
    const program = c.get('program')
    const key = JSON.stringify(['analytics', program.id, program.timezone, query])
    const data = await slowAnswers(key, async () => {
      const { db, at } = await reports(c.get('db'))
      return readAnalytics(db, { program, query, at })
    })
    return c.json({ data })
  })

  app.get('/api/programs/:programId/analytics/cohorts', mayRead, async (c) => {
    const query = check(cohortsQuery, c.req.query())
    const program = c.get('program')
    const key = JSON.stringify(['cohorts', program.id, program.timezone, program.currency, query])
    const data = await slowAnswers(key, async () => {
      const { db, at } = await reports(c.get('db'))
      return readCohorts(db, { program, query, at })
    })
    return c.json({ data })
  })
}
