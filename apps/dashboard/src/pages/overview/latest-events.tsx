import { Link } from '@tanstack/react-router'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { Ago } from '~/components/format/time.tsx'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { EventKind } from '../events/event-kind.tsx'
import { summarizeEvent } from '../events/event-summary.ts'
import { LiveBadge } from '../events/live-badge.tsx'
import { NoEvents } from '../events/no-events.tsx'

const SHOWN = 7

export const LatestEvents = () => {
  const { may } = useProgram()
  return may('tracking:list') && <Latest />
}

const Latest = () => {
  const { program, isLive } = useProgram()
  const events = useCall('get /api/tracking/events/{programId}', { programId: program.id, query: { pageSize: SHOWN } })
  return (
    <Card weight="quiet" className="lg:col-span-2">
      <header className="flex items-center justify-between border-line border-b px-5 py-3">
        <h2 className="text-section">Latest events</h2>
        <LiveBadge isLive={isLive} />
      </header>
      <QueryView
        query={events}
        loading={<SkeletonRows rows={SHOWN} />}
        isEmpty={({ data }) => data.length === 0}
        empty={<NoEvents />}
      >
        {({ data }) => (
          <ul className="flex flex-col gap-1 p-3">
            {data.map((event) => (
              <li
                key={`${event.eventType}-${event.test}-${event.id}`}
                className="flex h-9 items-center gap-3 px-2 text-sm"
              >
                <EventKind event={event} />
                <span className="min-w-0 flex-1 truncate text-soft">{summarizeEvent(event)}</span>
                <span className="text-faint text-xs">
                  <Ago at={event.timestamp} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      <Link
        to="/programs/$programId/sales/events"
        params={{ programId: String(program.id) }}
        className="block rounded-b-xl border-line border-t px-5 py-2.5 text-soft text-xs hover:bg-hover/60 hover:text-ink focus-visible:-outline-offset-2"
      >
        View all events
      </Link>
    </Card>
  )
}
