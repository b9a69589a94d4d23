import { PROCESSOR_EVENTS } from '@tributary/contract/declared'
import type { Database } from '../../database/connect.ts'
import type { Log } from '../../log.ts'
import { hasPermission } from '../../platform/access.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { runs } from '../../platform/runs.ts'
import { findEvent, listProcessorEvents } from '../list-events.ts'
import { replayPage } from '../replay.ts'

type Services = { hashKey: string; cell: string; log: Log; processor: { db: Database } }

/** Lists, shows and replays what the processor sent. Replays use the connections of its webhooks. */
export const processorEvents = ({ hashKey, cell, log, processor }: Services) =>
  runs(
    PROCESSOR_EVENTS,
    {},
    {
      list: ({ db, program, query }) => listProcessorEvents(db, { program, ...query }),

      get: async ({ db, program, params: { eventId }, query, actor: user }) => {
        const { workspaceId } = program
        const isRedacted = !(await hasPermission(db, { user, workspaceId, permission: 'member:manage' }))
        return orNotFound(await findEvent(db, { program, eventId, ...query, isRedacted }), 'event')
      },

      replay: {
        ownTransactions: ({ program, clock, audit, body: { since, dryRun, after = null } }) =>
          replayPage(
            { db: processor.db, clock, hashKey, cell, log },
            { program, audit, since: new Date(since), dryRun, after },
          ),
      },
    },
  )
