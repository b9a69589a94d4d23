import { publishedEventsQuery } from '@tributary/contract'
import { STREAM_HEADERS } from '../answers/stream-headers.ts'
import type { App, Dependencies } from '../context.ts'
import { check } from '../read-json.ts'
import { openEventStream, readStreamId } from './event-stream.ts'
import { requireKey } from './require-key.ts'

/** GET /api/v1/events: the program's events after a sequence, as a list or as a stream. */
export const events = (app: App, dependencies: Dependencies) => {
  const openStream = openEventStream(dependencies)
  app.get('/api/v1/events', async (c) => {
    const program = await requireKey(c, dependencies)
    const isStream = c.req.header('accept')?.includes('text/event-stream') ?? false
    const lastEventId = isStream ? c.req.header('last-event-id') : undefined
    const query = check(publishedEventsQuery, {
      ...c.req.query(),
      // A browser's EventSource repeats the query of the first connection and sends the last event it has.
      ...(lastEventId && readStreamId(lastEventId)),
    })
    const { after = null, epoch = null, limit } = query
    if (!isStream) {
      const page = await dependencies.eventFeed.read({ programId: program.id, after, epoch, limit })
      return c.json({ data: page.events, has_more: page.hasMore, epoch: page.epoch })
    }
    // HEAD is routed here too, but its stream would never be closed.
    if (c.req.method === 'HEAD') return c.body(null, 200, STREAM_HEADERS)
    return c.body(await openStream(c, { program, after, epoch }), 200, STREAM_HEADERS)
  })
}
