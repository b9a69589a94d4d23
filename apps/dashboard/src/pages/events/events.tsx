import type { TrackingEvent } from '@tributary/contract'
import { Activity, Radio } from 'lucide-react'
import { useState } from 'react'
import { usePartnerNames } from '~/api/partners.ts'
import { type EventsFilter, useEvents } from '~/api/tracking.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/button.tsx'
import type { Column } from '~/components/data-table.tsx'
import { ListCard } from '~/components/list-card.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState } from '~/components/states.tsx'
import { Ago } from '~/components/time.tsx'
import { EventFilters } from './event-filters.tsx'
import { EventKind } from './event-kind.tsx'
import { EventPanel } from './event-panel.tsx'
import { summaryOf } from './event-summary.ts'
import { NoEvents } from './no-events.tsx'

export type EventsSearch = ListSearch & {
  eventType?: string | undefined
  dateFrom?: string | undefined
  dateTo?: string | undefined
}

const PAGE_SIZE = 25

export const Events = () => {
  const { program } = useProgram()
  const { search, setPage, setFilter, clear } = useListSearch<EventsSearch>()
  const [opened, setOpened] = useState<TrackingEvent | null>(null)
  const partnerName = usePartnerNames(program.id)
  const { sort: _, ...filter } = search
  const isFirstPage = (search.page ?? 1) === 1
  const events = useEvents(program.id, { ...filter, pageSize: PAGE_SIZE } as EventsFilter, { live: isFirstPage })
  const isFiltered = Boolean(search.eventType || search.dateFrom || search.dateTo)

  const columns: Column<TrackingEvent>[] = [
    { header: 'Event', cell: (event) => <EventKind event={event} />, className: 'w-40' },
    {
      header: 'Details',
      cell: (event) => <span className="text-soft">{summaryOf(event, partnerName(event.partnerId))}</span>,
    },
    {
      header: 'Customer',
      cell: ({ customerKey }) => customerKey ?? <span className="text-faint">–</span>,
      hideOnPhone: true,
    },
    { header: 'When', cell: ({ timestamp }) => <Ago at={timestamp} />, align: 'right' },
  ]
  return (
    <Page
      title="Events"
      description="Every click, lead and sale as it came in, test events among them."
      actions={isFirstPage && <Live failing={events.isRefetchError} />}
    >
      <ListCard
        label="Events"
        noun="events"
        query={events}
        columns={columns}
        keyOf={({ eventType, test, id }) => `${eventType}-${test}-${id}`}
        onPage={setPage}
        onOpen={setOpened}
        filters={<EventFilters search={search} onChange={setFilter} />}
        empty={<NoEvents />}
        {...(isFiltered && { emptyFiltered: <NothingFound onClear={clear} /> })}
      />
      <EventPanel event={opened} partner={partnerName(opened?.partnerId ?? null)} onClose={() => setOpened(null)} />
    </Page>
  )
}

const Live = ({ failing }: { failing: boolean }) => (
  <p className="inline-flex items-center gap-1.5 text-soft text-xs">
    <Radio aria-hidden className={failing ? 'size-3.5 text-bad-ink' : 'size-3.5 text-good-ink'} />
    {failing ? 'Cannot refresh just now' : 'Live'}
  </p>
)

const NothingFound = ({ onClear }: { onClear: () => void }) => (
  <EmptyState icon={<Activity />} title="No event fits" action={<Button onClick={onClear}>Clear the filters</Button>}>
    Nothing of this kind happened in these days.
  </EmptyState>
)
