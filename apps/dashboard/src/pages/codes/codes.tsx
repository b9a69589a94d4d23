import { keepPreviousData } from '@tanstack/react-query'
import type { PromotionCode } from '@tributary/contract/programs/codes'
import { Plus, TicketPercent } from 'lucide-react'
import { useState } from 'react'
import { addressOf, useCall } from '~/api/call.ts'
import type { List } from '~/api/client.ts'
import { POLL_MS } from '~/api/live.ts'
import { usePartner } from '~/api/partners/partners.ts'
import { useCreateDialog } from '~/app/create-dialog.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { Button } from '~/components/controls/button.tsx'
import { SearchBox } from '~/components/controls/search-box.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { Amounts } from '~/components/format/amounts.tsx'
import { formatCount, formatNumber } from '~/components/format/format.ts'
import { Ago } from '~/components/format/time.tsx'
import type { Column } from '~/components/lists/data-table.tsx'
import { DownloadLink } from '~/components/lists/download.tsx'
import { FilterChip } from '~/components/lists/filter-menu.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState, NoMatches } from '~/components/states.tsx'
import { BEFORE_REVERSALS, GROSS } from '../overview/metrics.ts'
import { PartnerCell } from '../partners/partner-link.tsx'
import { AddCode } from './add-code.tsx'
import { CodeActions } from './code-actions.tsx'
import { codeState } from './code-state.ts'
import { EarlierCount, EarlierProgress, isCrediting } from './earlier-payments.tsx'
import { ReassignCode } from './reassign-code.tsx'

const PAGE_SIZE = 25

type CodesSearch = ListSearch & { [name in 'search' | 'partnerId' | 'state']?: string | undefined }

const STATES = [
  { value: '', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'disabled', label: 'Disabled' },
  { value: 'requested', label: 'Requested' },
]

const columnsFor = (currency: string): Column<PromotionCode>[] => [
  { header: 'Code', cell: ({ code }) => <CodeText code={code} />, sort: 'code' },
  { header: 'Partner', cell: (code) => <PartnerCell row={code} /> },
  { header: 'Status', cell: (code) => <CodeStatus code={code} /> },
  { header: 'Uses', cell: ({ uses }) => formatNumber(uses), align: 'right', sort: 'uses' },
  {
    header: 'Revenue',
    note: GROSS,
    cell: ({ revenue }) => <Amounts of={revenue} currency={currency} />,
    align: 'right',
  },
  {
    header: 'Commissions',
    note: BEFORE_REVERSALS,
    cell: ({ commissions }) => <Amounts of={commissions} currency={currency} />,
    align: 'right',
  },
  { header: 'Created', cell: ({ createdAt }) => <Ago at={createdAt} />, align: 'right', sort: 'createdAt' },
]

/** Earlier payments that turn out to belong to someone else are checked without an announced change. */
const whileCrediting = ({ state }: { state: { data?: List<PromotionCode> | undefined } }) =>
  state.data?.data.some(isCrediting) ? POLL_MS : false

export const Codes = () => {
  const { program, may } = useProgram()
  const { search, setPage, setFilter, sortingFrom, clear } = useListSearch<CodesSearch>()
  const input = { programId: program.id, query: { ...search, pageSize: PAGE_SIZE } }
  const codes = useCall('get /api/programs/{programId}/codes', input, {
    placeholderData: keepPreviousData,
    refetchInterval: whileCrediting,
  })
  const [isAdding, setAdding] = useCreateDialog()
  const [reassigned, setReassigned] = useState<PromotionCode | null>(null)
  const add = may('partner:manage') && (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden /> Add code
    </Button>
  )
  const file = addressOf('get /api/programs/{programId}/export/{file}', { programId: program.id, file: 'codes.csv' })
  const isFiltered = Boolean(search.search || search.partnerId || search.state)
  return (
    <Page
      isList
      title="Codes"
      description="Promotion codes that credit a partner without a click."
      actions={
        <>
          {may('tracking:list') && <DownloadLink href={file} />}
          {add}
        </>
      }
    >
      <ListCard
        label="Promotion codes"
        noun="codes"
        query={codes}
        columns={columnsFor(program.currency)}
        phone={{
          name: ({ code }) => code,
          amount: ({ uses }) => uses > 0 && formatCount(uses, 'use'),
          status: (code) => (
            <>
              <StateChip state={codeState(code)} /> <EarlierCount code={code} /> <PartnerCell row={code} />
            </>
          ),
          date: ({ createdAt }) => <Ago at={createdAt} />,
        }}
        keyOf={({ id }) => id}
        onPage={setPage}
        sorting={sortingFrom('-createdAt')}
        {...(may('partner:manage') && {
          actions: (code: PromotionCode) => <CodeActions code={code} onReassign={() => setReassigned(code)} />,
        })}
        filters={<CodeFilters search={search} onChange={setFilter} />}
        empty={
          <EmptyState icon={<TicketPercent />} title="No codes yet" action={add}>
            Give a partner a code, such as SAM20, that customers enter when they pay: their sales are credited to the
            partner without a click on a link.
          </EmptyState>
        }
        {...(isFiltered && { emptyFiltered: <NoMatches icon={<TicketPercent />} noun="codes" onClear={clear} /> })}
      />
      <AddCode open={isAdding} onOpenChange={setAdding} />
      <ReassignCode code={reassigned} onClose={() => setReassigned(null)} />
    </Page>
  )
}

const CodeText = ({ code }: { code: string }) => (
  <span className="flex items-center gap-1.5">
    <code className="wrap-anywhere font-medium font-mono">{code}</code>
    <CopyButton text={code} label={`Copy ${code}`} iconOnly />
  </span>
)

const CodeStatus = ({ code }: { code: PromotionCode }) => (
  <>
    <StateChip state={codeState(code)} />
    <EarlierProgress code={code} />
  </>
)

type FilterProps = { search: CodesSearch; onChange: (change: Partial<CodesSearch>) => void }

const CodeFilters = ({ search, onChange }: FilterProps) => {
  const { program } = useProgram()
  const { data: partner } = usePartner(program.id, search.partnerId)
  return (
    <>
      <SearchBox
        label="Search codes"
        placeholder="Code or partner"
        value={search.search ?? ''}
        onSearch={(text) => onChange({ search: text || undefined })}
      />
      <Segmented
        label="Status"
        value={search.state ?? ''}
        options={STATES}
        onChange={(state) => onChange({ state: state || undefined })}
      />
      {search.partnerId && (
        <FilterChip label={partner?.name ?? '…'} onRemove={() => onChange({ partnerId: undefined })} />
      )}
    </>
  )
}
