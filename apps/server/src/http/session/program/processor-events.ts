import { processorEventsQuery, replayRequest } from '@tributary/contract'
import { findEvent, listProcessorEvents } from '../../../processor/list-events.ts'
import { replayPage } from '../../../processor/replay.ts'
import type { App, Dependencies } from '../../context.ts'
import { answerList, orNotFound } from '../../lists.ts'
import { check, readJson } from '../../read-json.ts'
import { hasPermission, requireProgram } from '../require-session.ts'

/** Lists, shows and replays processor events. */
export const processorEvents = (app: App, dependencies: Dependencies) => {
  const mayList = requireProgram(dependencies, 'tracking:list')
  const mayReplay = requireProgram(dependencies, 'key:manage')
  const path = '/api/programs/:programId/processor'

  app.get(`${path}/events`, mayList, async (c) => {
    const query = check(processorEventsQuery, c.req.query())
    const { rows, total } = await listProcessorEvents(c.get('db'), { program: c.get('program'), ...query })
    return answerList(c, rows, { page: query.page, pageSize: query.pageSize, total })
  })

  app.get(`${path}/events/:eventId`, mayList, async (c) => {
    const db = c.get('db')
    const isRedacted = !(await hasPermission(c, db, 'member:manage'))
    const found = await findEvent(db, { program: c.get('program'), eventId: c.req.param('eventId'), isRedacted })
    return c.json({ data: orNotFound(found, 'event') })
  })

  app.post(`${path}/replay`, mayReplay, async (c) => {
    const { since, dryRun, after } = check(replayRequest, await readJson(c))
    const page = { since: new Date(since), dryRun, after: after ?? null }
    const request = { program: c.get('program'), userId: c.get('user').id, ...page }
    const db = dependencies.processor.db
    return c.json({ data: await replayPage({ ...dependencies, db }, request) })
  })
}
