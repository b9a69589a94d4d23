import type { WebhookDelivery, WebhookEndpoint } from '@tributary/contract'
import { WEBHOOK_RETENTION_DAYS } from '@tributary/contract/webhook-limits'
import { Send } from 'lucide-react'
import { useWebhookDeliveries } from '~/api/webhooks.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { formatTime } from '~/components/format/format.ts'
import { Ago } from '~/components/format/time.tsx'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import type { PhoneRow } from '~/components/lists/phone-rows.tsx'
import { EmptyState, NoMatches } from '~/components/states.tsx'
import { DeliveryFilters } from './delivery-filters.tsx'
import { DeliveryPanel } from './delivery-panel.tsx'
import { ResendFailed } from './resend-failed.tsx'

const PAGE_SIZE = 25

export type DeliveriesSearch = ListSearch & {
  [name in 'endpointId' | 'state' | 'type' | 'delivery']?: string | undefined
}

const COLUMNS: Column<WebhookDelivery>[] = [
  {
    header: 'Event',
    cell: ({ type, sequence }) => (
      <span className="block">
        <span className="block font-medium">{type}</span>
        <span className="block font-normal text-faint text-xs">Event {sequence}</span>
      </span>
    ),
  },
  {
    header: 'Endpoint',
    cell: ({ endpointUrl }) => <span className="wrap-anywhere text-soft">{endpointUrl}</span>,
    className: 'max-w-xs',
  },
  { header: 'Status', cell: (delivery) => <DeliveryStatus delivery={delivery} /> },
  { header: 'Attempts', cell: ({ attempts }) => attempts, align: 'right', hideOnPhone: true },
  { header: 'Created', cell: ({ createdAt }) => <Ago at={createdAt} />, align: 'right', sort: 'createdAt' },
]

const ON_PHONE: PhoneRow<WebhookDelivery> = {
  name: ({ type }) => type,
  amount: ({ sequence }) => <span className="font-normal text-faint text-xs">Event {sequence}</span>,
  status: ({ state, endpointUrl }) => (
    <>
      <StateChip state={state} /> <span className="truncate">{endpointUrl}</span>
    </>
  ),
  date: ({ createdAt }) => <Ago at={createdAt} />,
}

/** Past and pending deliveries. The open one is in the URL, so you can share it. */
export const Deliveries = ({ endpoints }: { endpoints: WebhookEndpoint[] }) => {
  const { program } = useProgram()
  const { search, setPage, setFilter, sortingFrom, clear, open } = useDeliverySearch()
  const { delivery, ...query } = search
  const deliveries = useWebhookDeliveries(program.id, { ...query, pageSize: PAGE_SIZE })
  const isFiltered = Boolean(query.endpointId || query.state || query.type)
  return (
    <div className="flex flex-col gap-3">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-section">Deliveries</h2>
        {endpoints.length > 0 && <ResendFailed endpoints={endpoints} />}
      </header>
      <ListCard
        label="Deliveries"
        noun="deliveries"
        query={deliveries}
        columns={COLUMNS}
        phone={ON_PHONE}
        keyOf={({ id }) => id}
        onPage={setPage}
        sorting={sortingFrom('-createdAt')}
        onOpen={({ id }) => open(id)}
        filters={<DeliveryFilters endpoints={endpoints} search={search} onChange={setFilter} />}
        empty={
          <EmptyState icon={<Send />} title="No deliveries yet">
            Each event that is sent to an endpoint appears here for {WEBHOOK_RETENTION_DAYS} days, with every attempt
            and its response.
          </EmptyState>
        }
        {...(isFiltered && { emptyFiltered: <NoMatches icon={<Send />} noun="deliveries" onClear={clear} /> })}
      />
      <DeliveryPanel deliveryId={Number(delivery) || null} onClose={() => open(null)} />
    </div>
  )
}

/** Opening a delivery keeps the page of the list. */
const useDeliverySearch = () => {
  const list = useListSearch<DeliveriesSearch>()
  const { page } = list.search
  const open = (id: number | null) => list.setFilter({ delivery: id === null ? undefined : String(id), page })
  return { ...list, open }
}

const DeliveryStatus = ({ delivery: { state, attempts, lastStatus, lastError, nextAttemptAt } }: DeliveryProps) => (
  <span className="flex flex-col items-start gap-1 max-sm:items-end">
    <StateChip state={state} />
    {state !== 'delivered' && attempts > 0 && (
      <span className="wrap-anywhere text-faint text-xs">
        {lastStatus ?? withoutPeriod(lastError ?? 'No response')}
        {state === 'pending' && ` · ${nextAttemptAt ? `Next attempt ${formatTime(nextAttemptAt)}` : WAITS}`}
      </span>
    )}
    {state === 'pending' && attempts === 0 && !nextAttemptAt && <span className="text-faint text-xs">{WAITS}</span>}
  </span>
)

const WAITS = 'Endpoint disabled'

const withoutPeriod = (sentence: string) => sentence.replace(/\.$/, '')

type DeliveryProps = { delivery: WebhookDelivery }
