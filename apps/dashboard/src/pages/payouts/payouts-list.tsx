import { keepPreviousData } from '@tanstack/react-query'
import type { PayoutSummary } from '@tributary/contract'
import { Banknote } from 'lucide-react'
import { useCall } from '~/api/call.ts'
import { useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { useDetailHref } from '~/components/back-link.tsx'
import { Badge } from '~/components/badge.tsx'
import { Button } from '~/components/controls/button.tsx'
import { SearchBox } from '~/components/controls/search-box.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import { Amounts, SomeAmounts } from '~/components/format/amounts.tsx'
import { formatCount, formatDate, formatNumber } from '~/components/format/format.ts'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import { EmptyState, NoMatches } from '~/components/states.tsx'
import { useListView } from '../views/use-list-view.tsx'
import type { PayoutsSearch } from './payouts.tsx'

const PAGE_SIZE = 25

const STATES = [
  { value: '', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'done', label: 'Done' },
]

const columnsFor = (currency: string): Column<PayoutSummary>[] => [
  { header: 'Payout', cell: ({ id }) => <span className="font-medium">Payout {id}</span> },
  { header: 'Status', cell: ({ openCount }) => <State openCount={openCount} /> },
  { header: 'Created', cell: ({ createdAt }) => formatDate(createdAt), align: 'right', sort: 'createdAt' },
  { header: 'Payments', cell: ({ lineCount }) => formatNumber(lineCount), align: 'right', sort: 'lineCount' },
  {
    header: 'Total',
    cell: ({ amounts }) => <Amounts of={amounts} currency={currency} />,
    align: 'right',
    sort: 'amountCents',
  },
]

export const PayoutsList = () => {
  const { program } = useProgram()
  const detailHref = useDetailHref(program.id)
  const { search, setPage, setFilter, sortingFrom } = useListSearch<PayoutsSearch>()
  const { page, sort, state, search: text } = search
  const query = { page, sort, state, search: text, pageSize: PAGE_SIZE }
  const payouts = useCall(
    'get /api/programs/{programId}/payouts',
    { programId: program.id, query },
    { placeholderData: keepPreviousData },
  )
  const view = useListView({ list: 'payouts', part: 'payouts', columns: columnsFor(program.currency) })
  return (
    <ListCard
      label="Payouts"
      noun="payouts"
      query={payouts}
      columns={view.columns}
      phone={{
        name: ({ id }) => `Payout ${id}`,
        amount: ({ amounts }) => <SomeAmounts of={amounts} currency={program.currency} />,
        status: ({ openCount }) => <State openCount={openCount} />,
        date: ({ createdAt }) => formatDate(createdAt),
      }}
      keyOf={({ id }) => id}
      onPage={setPage}
      sorting={sortingFrom('-createdAt')}
      filters={
        <>
          <SearchBox
            label="Search payouts"
            placeholder="Partner or reference"
            value={text ?? ''}
            onSearch={(next) => setFilter({ search: next || undefined })}
          />
          <Segmented
            label="Status"
            value={state ?? ''}
            options={STATES}
            onChange={(next) => setFilter({ state: next || undefined })}
          />
          {view.tools}
        </>
      }
      hrefOf={({ id }) => detailHref(`payouts/${id}`)}
      empty={
        <EmptyState
          icon={<Banknote />}
          title="No payouts yet"
          action={
            <Button look="primary" onClick={() => setFilter({ view: undefined })}>
              View balances
            </Button>
          }
        >
          Create a payout once commissions are payable, after their hold period.
        </EmptyState>
      }
      {...((state || text) && {
        emptyFiltered: (
          <NoMatches
            icon={<Banknote />}
            noun="payouts"
            onClear={() => setFilter({ state: undefined, search: undefined })}
          />
        ),
      })}
    />
  )
}

const State = ({ openCount }: { openCount: number }) =>
  openCount > 0 ? (
    <Badge tone="accent" dot>
      {formatCount(openCount, 'payment')} open
    </Badge>
  ) : (
    <Badge tone="good" dot>
      Done
    </Badge>
  )
