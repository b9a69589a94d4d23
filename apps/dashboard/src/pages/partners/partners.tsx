import type { PartnerRow } from '@tributary/contract'
import { Plus, UsersRound } from 'lucide-react'
import { call } from '~/api/call.ts'
import { useGroups } from '~/api/partners/groups.ts'
import { usePartners } from '~/api/partners/partners.ts'
import { useCreateDialog } from '~/app/create-dialog.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { useDetailHref } from '~/components/back-link.tsx'
import { StateChip } from '~/components/badge.tsx'
import { Button } from '~/components/controls/button.tsx'
import { SearchBox } from '~/components/controls/search-box.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import { Amounts, SomeAmounts } from '~/components/format/amounts.tsx'
import { formatDate, formatNumber } from '~/components/format/format.ts'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import type { Selection } from '~/components/lists/selection.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState, NoMatches } from '~/components/states.tsx'
import { GroupFilter } from '../groups/group-filter.tsx'
import { MovePartners } from '../groups/move-partners.tsx'
import { BEFORE_REVERSALS, GROSS } from '../overview/metrics.ts'
import { useListView } from '../views/use-list-view.tsx'
import { AddPartner } from './add/add-partner.tsx'
import { BulkPartners } from './bulk-partners.tsx'
import { PartnerActions } from './partner-actions.tsx'

const PAGE_SIZE = 25

type PartnersSearch = ListSearch & {
  search?: string | undefined
  status?: string | undefined
  groupId?: string | undefined
}

/** Every other filter excludes archived partners. */
const ARCHIVED = 'archived'

const STATUSES = [
  { value: '', label: 'All' },
  { value: 'approved', label: 'Approved' },
  { value: 'suspended', label: 'Suspended' },
  { value: 'rejected', label: 'Rejected' },
  { value: ARCHIVED, label: 'Archived' },
]

/** The group is shown once there is more than the default group, and takes the place of the leads. */
const columnsFor = (currency: string, hasGroups: boolean): Column<PartnerRow>[] => [
  { header: 'Partner', cell: (partner) => <Name partner={partner} />, sort: 'name' },
  { header: 'Status', cell: (partner) => <Status partner={partner} /> },
  ...(hasGroups ? [{ header: 'Group', cell: ({ groupName }: PartnerRow) => groupName }] : []),
  { header: 'Clicks', cell: ({ clicks }) => formatNumber(clicks), align: 'right', sort: 'clicks' },
  { header: 'Leads', cell: ({ leads }) => formatNumber(leads), align: 'right', sort: 'leads', isExtra: hasGroups },
  { header: 'Sales', cell: ({ sales }) => formatNumber(sales), align: 'right', sort: 'sales' },
  {
    header: 'Revenue',
    note: GROSS,
    cell: ({ revenue }) => <Amounts of={revenue} currency={currency} />,
    align: 'right',
    sort: 'revenue',
  },
  {
    header: 'Commissions',
    note: BEFORE_REVERSALS,
    cell: ({ commissions }) => <Amounts of={commissions} currency={currency} />,
    align: 'right',
    sort: 'commissions',
  },
  {
    header: 'Added',
    cell: ({ createdAt }) => formatDate(createdAt),
    align: 'right',
    sort: 'createdAt',
    hideOnPhone: true,
    className: 'whitespace-nowrap',
  },
]

const toQuery = ({ status, ...search }: PartnersSearch) =>
  status === ARCHIVED ? { ...search, archived: 'true' } : { ...search, status }

type Powers = { mayManage: boolean; mayMove: boolean }

const selectionFor = (
  programId: number,
  { page: _page, sort: _sort, ...filter }: PartnersSearch,
  { mayManage, mayMove }: Powers,
): Selection<PartnerRow> | undefined =>
  mayManage || mayMove
    ? {
        nameOf: ({ name }) => name,
        actions: (selected, clear) => (
          <>
            {mayManage && <BulkPartners selected={selected} status={statusIn(filter)} onDone={clear} />}
            {mayMove && <MovePartners ids={selected.ids} partners={selected.rows} onDone={clear} size="small" />}
          </>
        ),
        scope: JSON.stringify(filter),
        loadAll: async () => {
          const query = toQuery(filter)
          return (await call('get /api/programs/{programId}/partners/ids', { programId, query })).ids
        },
      }
    : undefined

const statusIn = ({ status }: PartnersSearch) => (status === ARCHIVED ? undefined : status)

export const Partners = () => {
  const { program, may } = useProgram()
  const { search, setPage, setFilter, sortingFrom, clear } = useListSearch<PartnersSearch>()
  const partners = usePartners(program.id, { ...toQuery(search), pageSize: PAGE_SIZE })
  const [isCreating, setCreating] = useCreateDialog()
  const detailHref = useDetailHref(program.id)
  const mayManage = may('partner:manage')
  const create = mayManage && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> Add partner
    </Button>
  )
  const groups = useGroups(program.id).data?.data ?? []
  const isFiltered = Boolean(search.search || search.status || search.groupId)
  const view = useListView({ list: 'partners', columns: columnsFor(program.currency, groups.length > 1) })
  return (
    <Page isList title="Partners" description="People and companies who refer customers to you." actions={create}>
      <ListCard
        label="Partners"
        noun="partners"
        query={partners}
        columns={view.columns}
        phone={{
          name: ({ name }) => name,
          amount: ({ revenue }) => <SomeAmounts of={revenue} currency={program.currency} />,
          status: (partner) => <Status partner={partner} />,
          date: ({ createdAt }) => formatDate(createdAt),
        }}
        keyOf={({ id }) => id}
        onPage={setPage}
        hrefOf={({ id }) => detailHref(`partners/${id}`)}
        sorting={sortingFrom('-createdAt')}
        {...(mayManage && { actions: (partner: PartnerRow) => <PartnerActions partner={partner} /> })}
        selection={selectionFor(program.id, search, {
          mayManage,
          mayMove: may('payout:manage') && groups.length > 1,
        })}
        filters={
          <>
            <PartnerFilters search={search} onChange={setFilter} />
            {view.tools}
          </>
        }
        empty={
          <EmptyState icon={<UsersRound />} title="No partners yet" action={create}>
            Add a person or company that will promote your product. They get a link right away.
          </EmptyState>
        }
        {...(isFiltered && { emptyFiltered: <NoMatches icon={<UsersRound />} noun="partners" onClear={clear} /> })}
      />
      <AddPartner open={isCreating} onOpenChange={setCreating} />
    </Page>
  )
}

type FilterProps = { search: PartnersSearch; onChange: (change: Partial<PartnersSearch>) => void }

const PartnerFilters = ({ search, onChange }: FilterProps) => (
  <>
    <SearchBox
      label="Search partners"
      placeholder="Name, email or code"
      value={search.search ?? ''}
      onSearch={(text) => onChange({ search: text || undefined })}
    />
    <Segmented
      label="Status"
      value={search.status ?? ''}
      options={STATUSES}
      onChange={(status) => onChange({ status: status || undefined })}
    />
    <GroupFilter value={search.groupId} onChange={(groupId) => onChange({ groupId })} />
  </>
)

/** Archiving is separate from the status, which decides about payouts. */
const Status = ({ partner: { status, archived } }: { partner: PartnerRow }) => (
  <span className="flex flex-wrap gap-1 max-sm:justify-end">
    <StateChip state={status} />
    {archived && <StateChip state={ARCHIVED} />}
  </span>
)

const Name = ({ partner: { name, email } }: { partner: PartnerRow }) => (
  <span className="block min-w-0">
    <span className="block max-w-48 truncate max-2xl:max-w-40 max-sm:max-w-56 font-medium" title={name}>
      {name}
    </span>
    <span
      className="block max-w-48 truncate max-2xl:max-w-40 max-sm:max-w-56 font-normal text-faint text-xs"
      title={email ?? undefined}
    >
      {email ?? 'No email'}
    </span>
  </span>
)
