import { keepPreviousData } from '@tanstack/react-query'
import type { LinkRow, ReferralLink } from '@tributary/contract'
import { Link2, Plus } from 'lucide-react'
import { useState } from 'react'
import { call, useCall } from '~/api/call.ts'
import { usePartner } from '~/api/partners/partners.ts'
import { useCreateDialog } from '~/app/create-dialog.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { Button } from '~/components/controls/button.tsx'
import { SearchBox } from '~/components/controls/search-box.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import { Amounts } from '~/components/format/amounts.tsx'
import { formatCount, formatNumber } from '~/components/format/format.ts'
import { unapproved } from '~/components/format/money-state.ts'
import { Ago } from '~/components/format/time.tsx'
import type { Column } from '~/components/lists/data-table.tsx'
import { FilterChip } from '~/components/lists/filter-menu.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import type { Selection } from '~/components/lists/selection.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState, NoMatches } from '~/components/states.tsx'
import { BEFORE_REVERSALS, GROSS } from '../overview/metrics.ts'
import { PartnerCell } from '../partners/partner-link.tsx'
import { useListView } from '../views/use-list-view.tsx'
import { AssignPartner } from './assign-partner.tsx'
import { BulkLinkActions } from './bulk-link-actions.tsx'
import { CreateLink } from './create-link.tsx'
import { LinkActions } from './link-actions.tsx'
import { LinkAddress } from './link-address.tsx'
import { linkState } from './link-state.ts'
import { NoWebsite } from './no-website.tsx'
import { shownAddress } from './share-address.ts'
import { ShareLink } from './share-link.tsx'

const PAGE_SIZE = 25

type LinksSearch = ListSearch & {
  search?: string | undefined
  partnerId?: string | undefined
  status?: string | undefined
}

const STATES = [
  { value: '', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'disabled', label: 'Disabled' },
  { value: 'off', label: 'Partner inactive' },
]

const columnsFor = ({ websites, currency }: { websites: string[]; currency: string }): Column<LinkRow>[] => [
  {
    header: 'Link',
    cell: (link) => (
      <LinkAddress link={link} websites={websites} noSite={<NoWebsite />} elsewhere="Not on your website" />
    ),
    sort: 'aff',
  },
  { header: 'Partner', cell: (link) => <LinkPartner link={link} /> },
  { header: 'Status', cell: (link) => <LinkStatus link={link} /> },
  { header: 'Clicks', cell: ({ clicks }) => formatNumber(clicks), align: 'right', sort: 'clicks' },
  { header: 'Leads', cell: ({ leads }) => formatNumber(leads), align: 'right', sort: 'leads' },
  { header: 'Sales', cell: ({ sales }) => formatNumber(sales), align: 'right', sort: 'sales' },
  {
    header: 'Revenue',
    note: GROSS,
    cell: ({ revenue }) => <Amounts of={revenue} currency={currency} />,
    align: 'right',
    sort: 'revenue',
    isExtra: true,
  },
  {
    header: 'Commissions',
    note: BEFORE_REVERSALS,
    cell: ({ commissions }) => <Amounts of={commissions} currency={currency} />,
    align: 'right',
    sort: 'commissions',
    isExtra: true,
  },
  {
    header: 'Last click',
    cell: ({ lastClicked }) => <Ago at={lastClicked} empty="Never" />,
    align: 'right',
    sort: 'lastClicked',
  },
]

const selectionFor = (programId: number, { page: _page, sort: _sort, ...filter }: LinksSearch): Selection<LinkRow> => ({
  nameOf: ({ aff }) => aff,
  actions: (selected, clear) => <BulkLinkActions selected={selected} onDone={clear} />,
  scope: JSON.stringify(filter),
  loadAll: async () => (await call('get /api/programs/{programId}/links/ids', { programId, query: filter })).ids,
})

export const Links = () => {
  const { program, may } = useProgram()
  const { search, setPage, setFilter, sortingFrom, clear } = useListSearch<LinksSearch>()
  const input = { programId: program.id, query: { ...search, pageSize: PAGE_SIZE } }
  const links = useCall('get /api/programs/{programId}/links', input, { placeholderData: keepPreviousData })
  const [isCreating, setCreating] = useCreateDialog()
  const [shared, setShared] = useState<ReferralLink | null>(null)
  const [assigning, setAssigning] = useState<ReferralLink | null>(null)
  const create = may('partner:manage') && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> Create link
    </Button>
  )
  const view = useListView({ list: 'links', columns: columnsFor(program) })
  const isFiltered = Boolean(search.search || search.partnerId || search.status)
  return (
    <Page isList title="Links" description="Referral links that partners share." actions={create}>
      <ListCard
        label="Referral links"
        noun="links"
        query={links}
        columns={view.columns}
        phone={{
          name: (link) => shownAddress({ ...link, websites: program.websites }),
          amount: ({ clicks }) => clicks > 0 && formatCount(clicks, 'click'),
          status: (link) => (
            <>
              <StateChip state={linkState(link)} /> <LinkPartner link={link} />
            </>
          ),
          date: ({ lastClicked }) => <Ago at={lastClicked} empty="" />,
        }}
        keyOf={({ id }) => id}
        onPage={setPage}
        sorting={sortingFrom('-createdAt')}
        actions={(link) => (
          <LinkActions link={link} onShare={() => setShared(link)} onAssign={() => setAssigning(link)} />
        )}
        {...(may('partner:manage') && { selection: selectionFor(program.id, search) })}
        filters={
          <>
            <LinkFilters search={search} onChange={setFilter} />
            {view.tools}
          </>
        }
        empty={
          <EmptyState icon={<Link2 />} title="No links yet" action={create}>
            Create a link for a partner to share. Its <code className="font-mono text-xs">aff</code> value identifies
            the partner who sent a visitor.
          </EmptyState>
        }
        {...(isFiltered && { emptyFiltered: <NoMatches icon={<Link2 />} noun="links" onClear={clear} /> })}
      />
      <CreateLink open={isCreating} onOpenChange={setCreating} onCreated={setShared} />
      <AssignPartner link={assigning} onClose={() => setAssigning(null)} />
      <ShareLink link={shared} websites={program.websites} onClose={() => setShared(null)} />
    </Page>
  )
}

type FilterProps = { search: LinksSearch; onChange: (change: Partial<LinksSearch>) => void }

const LinkFilters = ({ search, onChange }: FilterProps) => {
  const { program } = useProgram()
  const { data: partner } = usePartner(program.id, search.partnerId)
  return (
    <>
      <SearchBox
        label="Search links"
        placeholder="Link, page or partner"
        value={search.search ?? ''}
        onSearch={(text) => onChange({ search: text || undefined })}
      />
      <Segmented
        label="Status"
        value={search.status ?? ''}
        options={STATES}
        onChange={(status) => onChange({ status: status || undefined })}
      />
      {search.partnerId && (
        <FilterChip label={partner?.name ?? '…'} onRemove={() => onChange({ partnerId: undefined })} />
      )}
    </>
  )
}

/** Clicks on a pending partner's link count. */
const LinkStatus = ({ link }: { link: LinkRow }) => {
  const state = linkState(link)
  return (
    <>
      <StateChip state={state} />
      {state === 'commissions_held' && (
        <span className="mt-0.5 block font-normal text-faint text-xs"> {unapproved('pending').note}</span>
      )}
    </>
  )
}

const LinkPartner = ({ link }: { link: LinkRow }) =>
  link.partnerId === null ? <span className="text-warn-ink">No partner</span> : <PartnerCell row={link} />
