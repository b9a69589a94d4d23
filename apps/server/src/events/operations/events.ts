import { EVENT_TYPES } from '@tributary/contract'
import { TRACKING_EVENTS } from '@tributary/contract/declared'
import type { Database } from '../../database/connect.ts'
import { withNames, withNamesForOne } from '../../partners/partner-names.ts'
import { eventStream } from '../../platform/files.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { paginationOf } from '../../platform/pagination.ts'
import { runs } from '../../platform/runs.ts'
import { findEvent } from '../find-event.ts'
import { listEvents } from '../list-events.ts'
import type { LiveEvents } from '../live-events.ts'
import { openLiveStreams } from './live-stream.ts'

export const trackingEvents = ({ liveEvents }: { liveEvents: LiveEvents }) => {
  const openStream = openLiveStreams(liveEvents)
  return runs(
    TRACKING_EVENTS,
    { eventType: { what: 'event', find: findType } },
    {
      list: async ({ db, program, query }) => {
        const { rows, total, ...more } = await listEvents(db, { program, ...query })
        const pagination = paginationOf({ ...query, total })
        return { data: await withNames(db, program.id, rows), meta: { pagination, ...more } }
      },

      stream: async ({ program, actor, stream: { mayContinue } }) =>
        eventStream(openStream({ program, userId: actor.id, mayContinue })),

      get: async ({ db, program: { id: programId }, eventType, params: { eventId }, query: { test, timestamp } }) => {
        const near = { test: test === 'true', timestamp: timestamp ? new Date(timestamp) : null }
        const event = orNotFound(await findEvent(db, { programId, eventType, eventId, ...near }), 'event')
        return withNamesForOne(db, programId, event)
      },
    },
  )
}

const findType = async (_: Database, { id }: { id: string }) => EVENT_TYPES.find((type) => type === id)
