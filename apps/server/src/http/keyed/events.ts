import { publishedEventsQuery } from '@tributary/contract'
import { STREAM_HEADERS } from '../answers/stream-headers.ts'
import type { App, Dependencies } from '../context.ts'
import { check } from '../read-json.ts'
import { openEventStream } from './event-stream.ts'
import { requireKey } from './require-key.ts'

/** GET /api/v1/events: the program's events after a sequence, as a list or as a stream. */
export const events = (app: App, dependencies: Dependencies) => {
  const openStream = openEventStream(dependencies)
  app.get('/api/v1/events', async (c) => {
    const program = await requireKey(c, dependencies)
    const isStream = c.req.header('accept')?.includes('text/event-stream') ?? false
    const lastEventId = isStream ? c.req.header('last-event-id') : undefined
    const { after = null, limit } = check(publishedEventsQuery, {
      ...c.req.query(),
      // A browser's EventSource repeats the query of the first connection and sends the last event it has.
      ...(lastEventId && { after: lastEventId }),
    })
    if (!isStream) {
      const { events, hasMore } = await dependencies.eventFeed.read({ programId: program.id, after, limit })
      return c.json({ data: events, has_more: hasMore })
    }
    // HEAD is routed here too, but its stream would never be closed.
    if (c.req.method === 'HEAD') return c.body(null, 200, STREAM_HEADERS)
    return c.body(await openStream(c, { program, after }), 200, STREAM_HEADERS)
  })
}
