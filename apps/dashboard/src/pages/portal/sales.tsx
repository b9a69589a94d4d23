import type { PortalSale } from '@tributary/contract'
import { ShoppingBag } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '~/api/call.ts'
import { LIVE_LIST } from '~/api/live.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { StateChip } from '~/components/badge.tsx'
import { DateRange } from '~/components/dates/date-range.tsx'
import { SomeAmounts } from '~/components/format/amounts.tsx'
import { formatMoney, formatTime } from '~/components/format/format.ts'
import { displayState } from '~/components/format/money-state.ts'
import { Ago } from '~/components/format/time.tsx'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import type { PhoneRow } from '~/components/lists/phone-rows.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState, NoMatches } from '~/components/states.tsx'
import { netCents, netOf } from './earning-text.ts'
import { LinksButton } from './links-button.tsx'
import { usePartnership } from './portal-context.ts'
import { SalePanel } from './sale-panel.tsx'

const PAGE_SIZE = 25

type SalesSearch = ListSearch & { [name in 'dateFrom' | 'dateTo']?: string | undefined }

const COLUMNS: Column<PortalSale>[] = [
  {
    header: 'When',
    cell: ({ soldAt }) => <span className="whitespace-nowrap font-medium">{formatTime(soldAt)}</span>,
    sort: 'soldAt',
  },
  {
    header: 'Amount',
    cell: ({ amountCents, currency }) => formatMoney(amountCents, currency),
    align: 'right',
    sort: 'amountCents',
  },
  {
    header: 'Refunded',
    cell: ({ refundedCents, currency }) => (
      <span className={refundedCents > 0 ? 'text-bad-ink' : 'text-faint'}>{formatMoney(refundedCents, currency)}</span>
    ),
    align: 'right',
  },
  {
    header: 'Commission',
    cell: ({ earning }) =>
      earning ? (
        <span className="font-medium">{formatMoney(netCents(earning), earning.currency)}</span>
      ) : (
        <span className="text-faint">None</span>
      ),
    align: 'right',
  },
  {
    header: 'Status',
    cell: ({ earning, noEarningReason }) =>
      earning ? (
        <StateChip state={displayState(earning)} />
      ) : (
        <span className="block max-w-prose text-pretty text-soft">{noEarningReason}</span>
      ),
  },
]

const ON_PHONE: PhoneRow<PortalSale> = {
  name: ({ amountCents, currency }) => `Sale of ${formatMoney(amountCents, currency)}`,
  amount: ({ earning }) => earning && <SomeAmounts of={[netOf(earning)]} currency={earning.currency} />,
  status: ({ earning, noEarningReason }) =>
    earning ? <StateChip state={displayState(earning)} /> : <span className="truncate">{noEarningReason}</span>,
  date: ({ soldAt }) => <Ago at={soldAt} />,
}

/** Never shows who bought. */
export const PortalSales = () => {
  const { programId } = usePartnership()
  const { search, setPage, setFilter, sortingFrom, clear } = useListSearch<SalesSearch>()
  const query = { ...search, pageSize: PAGE_SIZE }
  const sales = useCall('get /api/portal/programs/{programId}/sales', { programId, query }, LIVE_LIST)
  const [opened, setOpened] = useState<PortalSale | null>(null)
  return (
    <Page
      isList
      title="Sales"
      description="Sales to customers you referred, and what you earned on each. You don’t see customer names."
    >
      <ListCard
        label="Sales"
        noun="sales"
        query={sales}
        columns={COLUMNS}
        phone={ON_PHONE}
        keyOf={({ id }) => id}
        onPage={setPage}
        sorting={sortingFrom('-soldAt')}
        onOpen={setOpened}
        filters={
          <DateRange
            from={search.dateFrom}
            to={search.dateTo}
            onChange={({ from, to }) => setFilter({ dateFrom: from, dateTo: to })}
          />
        }
        empty={
          <EmptyState icon={<ShoppingBag />} title="No sales yet" action={<LinksButton />}>
            Sales to customers you refer appear here.
          </EmptyState>
        }
        {...((search.dateFrom || search.dateTo) && {
          emptyFiltered: <NoMatches icon={<ShoppingBag />} noun="sales" onClear={clear} />,
        })}
      />
      <SalePanel sale={opened} onClose={() => setOpened(null)} />
    </Page>
  )
}
