import { keepPreviousData } from '@tanstack/react-query'
import type { SaleRow } from '@tributary/contract'
import { ShoppingBag } from 'lucide-react'
import { useCall } from '~/api/call.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { useDetailHref } from '~/components/back-link.tsx'
import { formatMoney } from '~/components/format/format.ts'
import { Ago } from '~/components/format/time.tsx'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import { Page } from '~/components/page.tsx'
import { NoMatches } from '~/components/states.tsx'
import { useListView } from '../views/use-list-view.tsx'
import { NoSales } from './no-sales.tsx'
import { Amount, Commission, Credit } from './sale-cells.tsx'
import { SaleFilters } from './sale-filters.tsx'

const PAGE_SIZE = 25

type Filter =
  | 'state'
  | 'creditedBy'
  | 'codeId'
  | 'partnerId'
  | 'evidence'
  | 'withinSeconds'
  | 'dateFrom'
  | 'dateTo'
  | 'search'
export type SalesSearch = ListSearch & { [name in Filter]?: string | undefined }

export const Sales = () => {
  const { program } = useProgram()
  const detailHref = useDetailHref(program.id)
  const { search, setPage, setFilter, sortingFrom, clear } = useListSearch<SalesSearch>()
  const input = { programId: program.id, query: { ...search, pageSize: PAGE_SIZE } }
  const sales = useCall('get /api/programs/{programId}/sales', input, { placeholderData: keepPreviousData })
  const { page: _page, sort: _sort, ...filters } = search
  const isFiltered = Object.values(filters).some(Boolean)
  const columns: Column<SaleRow>[] = [
    { header: 'Sale', cell: (sale) => <Name sale={sale} /> },
    { header: 'Credited to', cell: (sale) => <Credit sale={sale} /> },
    { header: 'Amount', cell: (sale) => <Amount sale={sale} />, align: 'right', sort: 'amountCents' },
    { header: 'Commission', cell: (sale) => <Commission sale={sale} />, align: 'right', sort: 'commissionCents' },
    { header: 'When', cell: ({ soldAt }) => <Ago at={soldAt} />, align: 'right', sort: 'soldAt' },
  ]
  const view = useListView({ list: 'sales', columns })
  return (
    <Page isList title="Sales" description="Every sale. Open one to see why it was or wasn’t credited.">
      <ListCard
        label="Sales"
        noun="sales"
        query={sales}
        columns={view.columns}
        phone={{
          name: ({ invoiceId }) => invoiceId,
          amount: ({ amountCents, currency }) => formatMoney(amountCents, currency),
          status: (sale) => <Credit sale={sale} />,
          date: ({ soldAt }) => <Ago at={soldAt} />,
        }}
        keyOf={({ id }) => id}
        onPage={setPage}
        hrefOf={({ id }) => detailHref(`sales/${id}`)}
        sorting={sortingFrom('-soldAt')}
        filters={
          <>
            <SaleFilters search={search} onChange={setFilter} onClear={clear} />
            {view.tools}
          </>
        }
        empty={<NoSales />}
        {...(isFiltered && { emptyFiltered: <NoMatches icon={<ShoppingBag />} noun="sales" onClear={clear} /> })}
      />
    </Page>
  )
}

const Name = ({ sale: { invoiceId, customerKey, eventName } }: { sale: SaleRow }) => (
  <span className="block min-w-0">
    <span className="wrap-anywhere block font-medium">{invoiceId}</span>
    <span className="block max-w-72 truncate font-normal text-faint text-xs">
      {[customerKey, eventName].filter(Boolean).join(' · ') || 'No customer key'}
    </span>
  </span>
)
