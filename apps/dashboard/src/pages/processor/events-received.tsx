import { keepPreviousData } from '@tanstack/react-query'
import type { ProcessorEvent } from '@tributary/contract'
import { Inbox as InboxIcon, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '~/api/call.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { Badge, StateChip } from '~/components/badge.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Ago } from '~/components/format/time.tsx'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import type { PhoneRow } from '~/components/lists/phone-rows.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState, NoMatches } from '~/components/states.tsx'
import { InboxFilters } from './inbox-filters.tsx'
import { ProcessorEventPanel } from './processor-event-panel.tsx'
import { ProcessorLabel } from './processor-label.tsx'
import { ReplayDialog } from './replay-dialog.tsx'

const PAGE_SIZE = 25

export type InboxSearch = ListSearch & { [name in 'fate' | 'type' | 'reason']?: string | undefined }

const COLUMNS: Column<ProcessorEvent>[] = [
  { header: 'Event', cell: (event) => <Name event={event} /> },
  { header: 'Status', cell: ({ fate }) => <StateChip state={fate} /> },
  {
    header: 'Reason',
    cell: ({ sentence }) => <span className="whitespace-normal text-soft">{sentence}</span>,
    className: 'max-w-md',
  },
  { header: 'When', cell: ({ createdAt }) => <Ago at={createdAt} />, align: 'right', sort: 'receivedAt' },
]

const ON_PHONE: PhoneRow<ProcessorEvent> = {
  name: ({ type }) => type,
  amount: ({ test, redactedAt }) => (
    <>
      {test && <Badge tone="warn">Test</Badge>} {redactedAt && <Badge>Erased</Badge>}
    </>
  ),
  status: ({ fate, sentence }) => (
    <>
      <StateChip state={fate} /> <span className="truncate">{sentence}</span>
    </>
  ),
  date: ({ createdAt }) => <Ago at={createdAt} />,
}

export const EventsReceived = () => {
  const { program, may } = useProgram()
  const [isReplaying, setReplaying] = useState(false)
  const { search, setPage, setFilter, sortingFrom, clear } = useListSearch<InboxSearch>()
  const [opened, setOpened] = useState<ProcessorEvent | null>(null)
  const input = { programId: program.id, query: { ...search, pageSize: PAGE_SIZE } }
  const events = useCall('get /api/programs/{programId}/processor/events', input, { placeholderData: keepPreviousData })
  const isFiltered = Boolean(search.fate || search.type || search.reason)
  return (
    <Page
      title="Events received"
      description="Every event that your payment processors sent, with its outcome and the reason."
      actions={
        may('key:manage') &&
        (isFiltered || (events.data?.data.length ?? 0) > 0) && (
          <Button onClick={() => setReplaying(true)}>
            <RotateCcw aria-hidden /> Replay events
          </Button>
        )
      }
    >
      <ListCard
        label="Events received"
        noun="events"
        query={events}
        columns={COLUMNS}
        phone={ON_PHONE}
        keyOf={({ id }) => id}
        onPage={setPage}
        sorting={sortingFrom('-receivedAt')}
        onOpen={setOpened}
        filters={<InboxFilters search={search} onChange={setFilter} onClear={clear} />}
        empty={<NoEvents />}
        {...(isFiltered && { emptyFiltered: <NoMatches icon={<InboxIcon />} noun="events" onClear={clear} /> })}
      />
      <ProcessorEventPanel event={opened} onClose={() => setOpened(null)} />
      <ReplayDialog open={isReplaying} onOpenChange={setReplaying} />
    </Page>
  )
}

const Name = ({ event: { type, id, processor, test, redactedAt } }: { event: ProcessorEvent }) => (
  <span className="block min-w-0">
    <span className="wrap-anywhere flex flex-wrap items-center gap-1.5 font-medium">
      {type} {test && <Badge tone="warn">Test</Badge>} {redactedAt && <Badge>Erased</Badge>}
    </span>
    <span className="block max-w-72 truncate font-normal text-faint text-xs">
      <ProcessorLabel name={processor} /> · <span className="font-mono">{id}</span>
    </span>
  </span>
)

const NoEvents = () => (
  <EmptyState icon={<InboxIcon />} title="No events yet">
    Once a payment processor is connected, its events appear here, each with its outcome and the reason.
  </EmptyState>
)
