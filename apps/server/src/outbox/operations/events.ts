import { publishedEventsQuery } from '@tributary/contract'
import { EVENTS } from '@tributary/contract/declared'
import type { Log } from '../../log.ts'
import { check } from '../../platform/check.ts'
import { eventStream } from '../../platform/files.ts'
import { runs } from '../../platform/runs.ts'
import type { EventFeed } from '../feed.ts'
import { openEventStreams, readStreamId } from './event-stream.ts'

/** The program's events after a sequence, as a list or as a stream. */
export const events = ({ eventFeed, log }: { eventFeed: EventFeed; log: Log }) => {
  const open = openEventStreams({ eventFeed, log })
  return runs(
    EVENTS,
    {},
    {
      list: async ({ program, query, stream }) => {
        if (!stream) {
          const { after = null, epoch = null, limit } = query
          const page = await eventFeed.read({ programId: program.id, after, epoch, limit })
          return { data: page.events, has_more: page.hasMore, epoch: page.epoch }
        }
        // A browser's EventSource repeats the query of the first connection and sends the last event it has.
        const { lastEventId, mayContinue } = stream
        const { after = null, epoch = null } = lastEventId
          ? check(publishedEventsQuery, { ...query, ...readStreamId(lastEventId) })
          : query
        return eventStream(await open({ program, after, epoch, mayContinue }))
      },
    },
  )
}
