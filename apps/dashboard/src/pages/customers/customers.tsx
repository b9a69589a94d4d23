import { keepPreviousData } from '@tanstack/react-query'
import type { CustomerRow } from '@tributary/contract'
import { Contact } from 'lucide-react'
import { useCall } from '~/api/call.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { useDetailHref } from '~/components/back-link.tsx'
import { Badge, StateChip } from '~/components/badge.tsx'
import { SearchBox } from '~/components/controls/search-box.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import { Amounts, SomeAmounts } from '~/components/format/amounts.tsx'
import { formatNumber } from '~/components/format/format.ts'
import { Ago } from '~/components/format/time.tsx'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import { Page } from '~/components/page.tsx'
import { NoMatches } from '~/components/states.tsx'
import { GROSS } from '../overview/metrics.ts'
import { PartnerCell } from '../partners/partner-link.tsx'
import { useListView } from '../views/use-list-view.tsx'
import { isErased } from './erased.ts'
import { NoCustomers } from './no-customers.tsx'
import { PartnerFilter } from './partner-filter.tsx'

const PAGE_SIZE = 25

type Filter = 'status' | 'partnerId' | 'search'
type CustomersSearch = ListSearch & { [name in Filter]?: string | undefined }

const STATES = [
  { value: '', label: 'All' },
  { value: 'lead', label: 'Leads' },
  { value: 'customer', label: 'Paying' },
]

const columnsFor = (currency: string): Column<CustomerRow>[] => [
  { header: 'Customer', cell: (customer) => <Name customer={customer} /> },
  { header: 'Status', cell: ({ status }) => <StateChip state={status} /> },
  { header: 'Partner', cell: (customer) => <PartnerCell row={customer} /> },
  { header: 'Sales', cell: ({ sales }) => formatNumber(sales), align: 'right', sort: 'sales' },
  {
    header: 'Revenue',
    note: GROSS,
    cell: ({ revenue }) => <Amounts of={revenue} currency={currency} />,
    align: 'right',
    sort: 'revenue',
  },
  { header: 'First click', cell: (row) => <Ago at={row.firstClickedAt} />, align: 'right', sort: 'firstClickedAt' },
  {
    header: 'Lead since',
    cell: ({ leadAt }) => <Ago at={leadAt} />,
    align: 'right',
    sort: 'leadAt',
    hideOnPhone: true,
  },
]

export const Customers = () => {
  const { program } = useProgram()
  const detailHref = useDetailHref(program.id)
  const { search, setPage, setFilter, sortingFrom, clear } = useListSearch<CustomersSearch>()
  const input = { programId: program.id, query: { ...search, pageSize: PAGE_SIZE } }
  const customers = useCall('get /api/programs/{programId}/customers', input, { placeholderData: keepPreviousData })
  const isFiltered = Boolean(search.status || search.partnerId || search.search)
  const view = useListView({ list: 'customers', columns: columnsFor(program.currency) })
  return (
    <Page
      isList
      title="Customers"
      description="Leads and paying customers who came through a referral link or a promotion code. Emails are masked."
    >
      <ListCard
        label="Customers"
        noun="customers"
        query={customers}
        columns={view.columns}
        phone={{
          name: ({ customerKey, id }) => (isErased(customerKey) ? 'Erased customer' : (customerKey ?? id)),
          amount: ({ revenue }) => <SomeAmounts of={revenue} currency={program.currency} />,
          status: (customer) => (
            <>
              <StateChip state={customer.status} /> <PartnerCell row={customer} />
            </>
          ),
          date: ({ firstClickedAt }) => <Ago at={firstClickedAt} />,
        }}
        keyOf={({ id }) => id}
        onPage={setPage}
        hrefOf={({ id }) => detailHref(`sales/customers/${id}`)}
        sorting={sortingFrom('-firstClickedAt')}
        filters={
          <>
            <SearchBox
              label="Search customers"
              placeholder="Customer key or full email"
              value={search.search ?? ''}
              onSearch={(text) => setFilter({ search: text || undefined })}
            />
            <Segmented
              label="Status"
              value={search.status ?? ''}
              options={STATES}
              onChange={(status) => setFilter({ status: status || undefined })}
            />
            <PartnerFilter value={search.partnerId} onChange={(partnerId) => setFilter({ partnerId })} />
            {view.tools}
          </>
        }
        empty={<NoCustomers />}
        {...(isFiltered && { emptyFiltered: <NoMatches icon={<Contact />} noun="customers" onClear={clear} /> })}
      />
    </Page>
  )
}

const Name = ({ customer: { customerKey, id, email } }: { customer: CustomerRow }) => (
  <span className="block min-w-0">
    <span className="wrap-anywhere block font-medium">
      {isErased(customerKey) ? <Badge>Erased customer</Badge> : (customerKey ?? id)}
    </span>
    {email && (
      <span className="block max-w-72 truncate font-normal text-faint text-xs" title={email}>
        {email}
      </span>
    )}
  </span>
)
