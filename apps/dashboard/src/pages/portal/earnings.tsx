import type { PortalEarning } from '@tributary/contract'
import { Download, HandCoins } from 'lucide-react'
import { useState } from 'react'
import { addressOf, useCall } from '~/api/call.ts'
import { LIVE_LIST } from '~/api/live.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { StateChip } from '~/components/badge.tsx'
import { buttonClass } from '~/components/controls/button.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import { SomeAmounts } from '~/components/format/amounts.tsx'
import { formatDate, formatMoney } from '~/components/format/format.ts'
import { commissionFilter, displayState } from '~/components/format/money-state.ts'
import { Ago } from '~/components/format/time.tsx'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import type { PhoneRow } from '~/components/lists/phone-rows.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState, NoMatches } from '~/components/states.tsx'
import { EarningPanel } from './earning-panel.tsx'
import { describeEarning, earnedFor, netCents, netOf } from './earning-text.ts'
import { LinksButton } from './links-button.tsx'
import { usePartnership, usePayee } from './portal-context.ts'

const PAGE_SIZE = 25

type EarningsSearch = ListSearch & { state?: string | undefined }

const STATES = [
  { value: '', label: 'All' },
  { value: 'held', label: 'Held' },
  { value: 'payable', label: 'Payable' },
  { value: 'review', label: 'In review' },
  { value: 'in_dispute', label: 'In dispute' },
  { value: 'on_its_way', label: 'In payout' },
  { value: 'paid', label: 'Paid' },
  { value: 'reversed', label: 'Reversed in full' },
]

const COLUMNS: Column<PortalEarning>[] = [
  {
    header: 'Earned for',
    cell: (earning) => (
      <span className="block min-w-24">
        <span className="wrap-anywhere block font-medium">{earnedFor(earning)}</span>
        <span className="block font-normal text-faint text-xs sm:whitespace-nowrap">
          {formatDate(earning.earnedAt)} · Commission {earning.id}
        </span>
      </span>
    ),
    sort: 'earnedAt',
  },
  { header: 'Status', cell: (earning) => <StateChip state={displayState(earning)} /> },
  {
    header: 'Details',
    cell: (earning) => <Details earning={earning} />,
    className: 'w-full',
  },
  { header: 'Amount', cell: (earning) => <Amount earning={earning} />, align: 'right', sort: 'amountCents' },
]

const ON_PHONE: PhoneRow<PortalEarning> = {
  name: earnedFor,
  amount: (earning) => <SomeAmounts of={[netOf(earning)]} currency={earning.currency} />,
  status: (earning) => {
    const state = displayState(earning)
    return (
      <>
        <StateChip state={state} /> {state === 'held' && `until ${formatDate(earning.payableAt)}`}
      </>
    )
  },
  date: ({ earnedAt }) => <Ago at={earnedAt} />,
}

export const PortalEarnings = () => {
  const { programId } = usePartnership()
  const { search, setPage, setFilter, sortingFrom, clear } = useListSearch<EarningsSearch>()
  const { state, ...list } = search
  const filter = commissionFilter(state)
  const query = { ...list, ...filter, pageSize: PAGE_SIZE }
  const earnings = useCall('get /api/portal/programs/{programId}/earnings', { programId, query }, LIVE_LIST)
  const file = addressOf('get /api/portal/programs/{programId}/export/{file}', {
    programId,
    file: 'earnings.csv',
    query: filter,
  })
  const [opened, setOpened] = useState<PortalEarning | null>(null)
  return (
    <Page
      isList
      title="Commissions"
      description="What you earned, when it becomes payable, and any reversals."
      actions={
        <a href={file} download className={buttonClass()}>
          <Download aria-hidden /> Export CSV
        </a>
      }
    >
      <ListCard
        label="Commissions"
        noun="commissions"
        query={earnings}
        columns={COLUMNS}
        phone={ON_PHONE}
        keyOf={({ id }) => id}
        onPage={setPage}
        sorting={sortingFrom('-earnedAt')}
        onOpen={setOpened}
        filters={
          <Segmented
            label="Status"
            value={state ?? ''}
            options={STATES}
            onChange={(next) => setFilter({ state: next || undefined })}
          />
        }
        empty={
          <EmptyState icon={<HandCoins />} title="No commissions yet" action={<LinksButton />}>
            Commissions appear here when someone you refer signs up or buys.
          </EmptyState>
        }
        {...(state && { emptyFiltered: <NoMatches icon={<HandCoins />} noun="commissions" onClear={clear} /> })}
      />
      <EarningPanel earning={opened} onClose={() => setOpened(null)} />
    </Page>
  )
}

const Details = ({ earning }: { earning: PortalEarning }) => (
  <span className="block max-w-prose text-pretty text-soft">{describeEarning(earning, usePayee()).join(' ')}</span>
)

const Amount = ({ earning }: { earning: PortalEarning }) => (
  <span className="block whitespace-nowrap">
    <span className="block font-medium">{formatMoney(netCents(earning), earning.currency)}</span>
    {earning.reversedCents > 0 && (
      <span className="block text-faint text-xs">of {formatMoney(earning.amountCents, earning.currency)}</span>
    )}
  </span>
)
