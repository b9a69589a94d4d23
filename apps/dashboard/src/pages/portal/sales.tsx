import { ShoppingBag } from 'lucide-react'
import { type PortalSale, usePortalSales } from '~/api/portal.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { DateRange } from '~/components/dates/date-range.tsx'
import { formatMoney, formatTime } from '~/components/format/format.ts'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState, NoMatches } from '~/components/states.tsx'
import { LinksButton } from './links-button.tsx'
import { usePartnership } from './portal-context.ts'

const PAGE_SIZE = 25

type SalesSearch = ListSearch & { [name in 'dateFrom' | 'dateTo']?: string | undefined }

const COLUMNS: Column<PortalSale>[] = [
  { header: 'When', cell: ({ soldAt }) => <span className="font-medium">{formatTime(soldAt)}</span>, sort: 'soldAt' },
  {
    header: 'Amount',
    cell: ({ amountCents, currency }) => formatMoney(amountCents, currency),
    align: 'right',
    sort: 'amountCents',
  },
  {
    header: 'Refunded',
    cell: ({ refundedCents, currency }) =>
      refundedCents > 0 ? (
        <span className="text-bad-ink">{formatMoney(refundedCents, currency)}</span>
      ) : (
        <span className="text-faint">–</span>
      ),
    align: 'right',
  },
  {
    header: 'Net',
    cell: ({ amountCents, refundedCents, currency }) => formatMoney(amountCents - refundedCents, currency),
    align: 'right',
  },
]

/** Never shows who bought. */
export const PortalSales = () => {
  const { programId } = usePartnership()
  const { search, setPage, setFilter, sortingFrom, clear } = useListSearch<SalesSearch>()
  const sales = usePortalSales(programId, { ...search, pageSize: PAGE_SIZE })
  return (
    <Page title="Sales" description="Payments from customers you referred. Customer identities are not shown.">
      <ListCard
        label="Sales"
        noun="sales"
        query={sales}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        onPage={setPage}
        sorting={sortingFrom('-soldAt')}
        filters={
          <DateRange
            from={search.dateFrom}
            to={search.dateTo}
            onChange={({ from, to }) => setFilter({ dateFrom: from, dateTo: to })}
          />
        }
        empty={
          <EmptyState icon={<ShoppingBag />} title="No sales yet" action={<LinksButton />}>
            Payments from customers you refer appear here. Share your link to get started.
          </EmptyState>
        }
        {...((search.dateFrom || search.dateTo) && {
          emptyFiltered: <NoMatches icon={<ShoppingBag />} noun="sales" onClear={clear} />,
        })}
      />
    </Page>
  )
}
