import { breakdownQuery, EVENT_TYPES, eventQuery, eventsQuery, performanceQuery } from '@tributary/contract'
import { findEvent } from '../../events/find-event.ts'
import { listEvents } from '../../events/list-events.ts'
import { readBreakdown } from '../../events/overview/breakdown.ts'
import { readPerformance } from '../../events/overview/performance.ts'
import { withNames, withNamesForOne } from '../../partners/partner-names.ts'
import { trackingStatus } from '../../tracking/set-up/tracking-status.ts'
import type { App, Dependencies } from '../context.ts'
import { orNotFound, paginationOf } from '../lists.ts'
import { check } from '../read-json.ts'
import { eventStream } from './event-stream.ts'
import { readReport } from './read-report.ts'
import { requireProgram } from './require-session.ts'

export const tracking = (app: App, dependencies: Dependencies) => {
  const mayRead = requireProgram(dependencies, 'tracking:read')
  const mayList = requireProgram(dependencies, 'tracking:list')

  app.get('/api/tracking/status/:programId', mayRead, async (c) =>
    c.json({ data: await trackingStatus({ ...dependencies, db: c.get('db') }, c.get('program')) }),
  )

  app.get('/api/tracking/events/:programId', mayList, async (c) => {
    const db = c.get('db')
    const query = check(eventsQuery, c.req.query())
    const program = c.get('program')
    const { rows, total, ...more } = await listEvents(db, { program, ...query })
    return c.json({
      data: await withNames(db, program.id, rows),
      meta: { pagination: paginationOf({ ...query, total }), ...more },
    })
  })

  // Registered before the route of a single event, which would match it.
  eventStream(app, dependencies)

  app.get('/api/tracking/events/:programId/:eventType/:eventId', mayList, async (c) => {
    const db = c.get('db')
    const { test, timestamp } = check(eventQuery, c.req.query())
    const eventType = EVENT_TYPES.find((type) => type === c.req.param('eventType'))
    const key = {
      programId: c.get('program').id,
      eventId: c.req.param('eventId'),
      test: test === 'true',
      timestamp: timestamp ? new Date(timestamp) : null,
    }
    const event = orNotFound(eventType && (await findEvent(db, { ...key, eventType })), 'event')
    return c.json({ data: await withNamesForOne(db, key.programId, event) })
  })

  app.get('/api/tracking/performance/:programId', mayRead, async (c) => {
    const { partnerId, ...query } = check(performanceQuery, c.req.query())
    const program = c.get('program')
    const data = await readReport(c, dependencies, {
      ...{ name: 'performance', query: { ...query, partnerId }, period: query },
      read: ({ db, at }) => readPerformance(db, { program, query, at, partnerId }),
    })
    return c.json({ data })
  })

  app.get('/api/tracking/breakdown/:programId', mayRead, async (c) => {
    const query = check(breakdownQuery, c.req.query())
    const { partnerId } = query
    const program = c.get('program')
    const data = await readReport(c, dependencies, {
      ...{ name: 'breakdown', query, period: query },
      read: ({ db, at }) => readBreakdown(db, { program, query, at, partnerId }),
    })
    return c.json({ data })
  })
}
