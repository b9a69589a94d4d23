import { keepPreviousData } from '@tanstack/react-query'
import type { TrackingEventRow } from '@tributary/contract'
import { Activity } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '~/api/call.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { Ago } from '~/components/format/time.tsx'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import type { PhoneRow } from '~/components/lists/phone-rows.tsx'
import { Page } from '~/components/page.tsx'
import { NoMatches } from '~/components/states.tsx'
import { PartnerCell } from '../partners/partner-link.tsx'
import { EventFilters } from './event-filters.tsx'
import { EventKind } from './event-kind.tsx'
import { EventPanel } from './event-panel.tsx'
import { eventDetails } from './event-summary.ts'
import { LiveBadge } from './live-badge.tsx'
import { NoEvents } from './no-events.tsx'

type Filter = 'eventType' | 'dateFrom' | 'dateTo' | 'partnerId' | 'linkId' | 'country' | 'test' | 'search'
export type EventsSearch = ListSearch & { [name in Filter]?: string | undefined }

const PAGE_SIZE = 25

export const Events = () => {
  const { program, isLive } = useProgram()
  const { search, setPage, setFilter, clear } = useListSearch<EventsSearch>()
  const [opened, setOpened] = useState<TrackingEventRow | null>(null)
  const { sort: _, page, ...filters } = search
  const input = { programId: program.id, query: { ...filters, page, pageSize: PAGE_SIZE } }
  const events = useCall('get /api/tracking/events/{programId}', input, { placeholderData: keepPreviousData })
  const isFiltered = Object.values(filters).some(Boolean)

  const columns: Column<TrackingEventRow>[] = [
    { header: 'Event', cell: (event) => <EventKind event={event} />, className: 'w-40' },
    { header: 'Partner', cell: (event) => <PartnerCell row={event} /> },
    { header: 'Details', cell: (event) => <span className="text-soft">{eventDetails(event).join(' · ') || '–'}</span> },
    { header: 'Customer', cell: ({ customerKey }) => customerKey ?? <None />, hideOnPhone: true },
    { header: 'When', cell: ({ timestamp }) => <Ago at={timestamp} withTime />, align: 'right' },
  ]
  return (
    <Page
      isList
      title="Events"
      description="Every click, lead and sale as it arrives. Test events have a badge."
      actions={<LiveBadge isLive={isLive} />}
    >
      <ListCard
        label="Events"
        noun="events"
        query={events}
        columns={columns}
        keyOf={({ eventType, test, id }) => `${eventType}-${test}-${id}`}
        onPage={setPage}
        onOpen={setOpened}
        phone={PHONE}
        filters={<EventFilters search={search} aff={events.data?.data[0]?.aff} onChange={setFilter} onClear={clear} />}
        empty={<NoEvents />}
        {...(isFiltered && { emptyFiltered: <NoMatches icon={<Activity />} noun="events" onClear={clear} /> })}
      />
      <EventPanel event={opened} onClose={() => setOpened(null)} />
    </Page>
  )
}

const PHONE: PhoneRow<TrackingEventRow> = {
  name: (event) => <EventKind event={event} />,
  status: (event) => (
    <>
      <PartnerCell row={event} />
      <span className="truncate">{[event.customerKey, ...eventDetails(event)].filter(Boolean).join(' · ')}</span>
    </>
  ),
  date: ({ timestamp }) => <Ago at={timestamp} />,
}

const None = () => <span className="text-faint">–</span>
