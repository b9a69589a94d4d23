import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CommissionRow } from '@tributary/contract'
import { HandCoins, PencilLine } from 'lucide-react'
import { addressOf, call, useCall } from '~/api/call.ts'
import type { Query } from '~/api/client.ts'
import { useGroups } from '~/api/partners/groups.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { useDetailHref } from '~/components/back-link.tsx'
import { StateChip, stateLabel } from '~/components/badge.tsx'
import { buttonClass } from '~/components/controls/button.tsx'
import { SearchBox } from '~/components/controls/search-box.tsx'
import { formatMoney } from '~/components/format/format.ts'
import { commissionFilter, displayState } from '~/components/format/money-state.ts'
import { Ago } from '~/components/format/time.tsx'
import { DownloadLink } from '~/components/lists/download.tsx'
import { FilterChip } from '~/components/lists/filter-menu.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import type { PhoneRow } from '~/components/lists/phone-rows.tsx'
import type { Selection } from '~/components/lists/selection.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState, NoMatches } from '~/components/states.tsx'
import { GroupFilter } from '../groups/group-filter.tsx'
import { RewardsLink } from '../settings/rewards/rewards-link.tsx'
import { useListView } from '../views/use-list-view.tsx'
import { BulkCommissions } from './bulk-commissions.tsx'
import { CommissionActions } from './commission-actions.tsx'
import { columnsFor } from './commission-columns.tsx'
import { PartnerFilter } from './partner-filter.tsx'
import { ReviewNotice } from './review-notice.tsx'
import { StateTiles } from './state-tiles.tsx'
import { isVoidable } from './void-dialog.tsx'

const PAGE_SIZE = 25
const LIST = 'get /api/programs/{programId}/commissions'

type CommissionsSearch = ListSearch & { [name in 'state' | 'partnerId' | 'groupId' | 'search']?: string | undefined }

/** Placeholder rows may still belong to the previously chosen partner. */
const partnerName = (rows: CommissionRow[] | undefined, partnerId: string | undefined) =>
  rows?.find((row) => String(row.partnerId) === partnerId)?.partnerName

/** The explanation of the lead or sale that earned it. */
const explainHref = ({ saleId, leadId }: CommissionRow, detailHref: (detail: string) => string) => {
  if (saleId !== null) return detailHref(`sales/${saleId}`)
  return leadId === null ? undefined : detailHref(`sales/leads/${leadId}`)
}

const selectionFor = (
  programId: number,
  { page: _page, sort: _sort, ...filter }: CommissionsSearch,
): Selection<CommissionRow> => ({
  nameOf: ({ id, partnerName }) => `commission ${id} of ${partnerName}`,
  actions: (selected, clear) => <BulkCommissions selected={selected} state={filter.state} onDone={clear} />,
  isSelectable: (row) => isVoidable(row),
  scope: JSON.stringify(filter),
  loadAll: async () => {
    const { state, ...list } = filter
    const query = { ...list, ...commissionFilter(state) }
    return (await call(`${LIST}/ids`, { programId, query })).ids
  },
})

const ON_PHONE: PhoneRow<CommissionRow> = {
  name: ({ partnerName }) => partnerName,
  amount: ({ amountCents, reversedCents, currency }) => formatMoney(amountCents - reversedCents, currency),
  status: (commission) => <StateChip state={displayState(commission)} />,
  date: ({ earnedAt }) => <Ago at={earnedAt} />,
}

export const Commissions = () => {
  const { program, may } = useProgram()
  const { search, setPage, setFilter, sortingFrom, clear } = useListSearch<CommissionsSearch>()
  const { state, ...list } = search
  const { partnerId, groupId, search: text } = list
  const detailHref = useDetailHref(program.id)
  const groups = useGroups(program.id).data?.data ?? []
  const view = useListView({ list: 'commissions', columns: columnsFor(groups.length > 1) })
  const filter = { partnerId, groupId, search: text, ...commissionFilter(state) }
  const kept = { placeholderData: keepPreviousData }
  const query = { ...list, ...filter, pageSize: PAGE_SIZE }
  const commissions = useCall(LIST, { programId: program.id, query }, kept)
  const totals = useCall(`${LIST}/totals`, { programId: program.id, query: { partnerId, groupId, search: text } }, kept)
  return (
    <Page
      isList
      title="Commissions"
      description="What partners earned, after reversals from refunds, lost disputes, voids and moved sales."
      actions={<PageActions programId={program.id} filter={{ ...filter, sort: list.sort }} />}
    >
      <StateTiles query={totals} state={state} onChange={(next) => setFilter({ state: next })} />
      {state !== 'review' && may('payout:manage') && (
        <ReviewNotice totals={totals.data?.data ?? []} onOpen={() => setFilter({ state: 'review' })} />
      )}
      <ListCard
        label="Commissions"
        noun="commissions"
        query={commissions}
        columns={view.columns}
        phone={ON_PHONE}
        keyOf={({ id }) => id}
        onPage={setPage}
        hrefOf={(row) => (may('tracking:read') ? explainHref(row, detailHref) : undefined)}
        sorting={sortingFrom('-earnedAt')}
        actions={(commission: CommissionRow) => <CommissionActions commission={commission} />}
        {...(may('payout:manage') && { selection: selectionFor(program.id, search) })}
        filters={
          <>
            <SearchBox
              label="Search commissions"
              placeholder={may('tracking:list') ? 'Partner, customer, invoice' : 'Partner or number'}
              value={text ?? ''}
              onSearch={(next) => setFilter({ search: next || undefined })}
            />
            <PartnerFilter
              value={partnerId}
              name={partnerName(commissions.data?.data, partnerId)}
              onChange={(next) => setFilter({ partnerId: next })}
            />
            <GroupFilter value={groupId} onChange={(next) => setFilter({ groupId: next })} />
            {state && (
              <FilterChip label={`Status: ${stateLabel(state)}`} onRemove={() => setFilter({ state: undefined })} />
            )}
            {view.tools}
          </>
        }
        empty={
          <EmptyState icon={<HandCoins />} title="No commissions yet" action={<RewardsLink />}>
            Commissions appear here when a partner brings a lead or sale that your reward pays for.
          </EmptyState>
        }
        {...((state || partnerId || groupId || text) && {
          emptyFiltered: <NoMatches icon={<HandCoins />} noun="commissions" onClear={clear} />,
        })}
      />
    </Page>
  )
}

type ActionsProps = { programId: number; filter: Query }

const PageActions = ({ programId, filter }: ActionsProps) => (
  <>
    <Link
      to="/programs/$programId/commissions/adjustments"
      params={{ programId: String(programId) }}
      className={buttonClass()}
    >
      <PencilLine aria-hidden /> Adjustments
    </Link>
    <DownloadLink href={addressOf(LIST, { programId, query: { ...filter, format: 'csv' } })} />
  </>
)
