import type { PortalEarning } from '@tributary/contract'
import { Download, HandCoins } from 'lucide-react'
import { useState } from 'react'
import { statementAddress, usePortalEarnings } from '~/api/portal.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { StateChip } from '~/components/badge.tsx'
import { buttonClass } from '~/components/button.tsx'
import type { Column } from '~/components/data-table.tsx'
import { formatDate, formatMoney } from '~/components/format.ts'
import { ListCard } from '~/components/list-card.tsx'
import { Page } from '~/components/page.tsx'
import { Segmented } from '~/components/segmented.tsx'
import { EmptyState, NothingFits } from '~/components/states.tsx'
import { EarningPanel } from './earning-panel.tsx'
import { KINDS, leftOf, wordsOf } from './earning-words.ts'
import { usePartnership } from './portal-context.ts'

const PAGE_SIZE = 25

type EarningsSearch = ListSearch & { state?: string | undefined }

const STATES = [
  { value: '', label: 'All' },
  { value: 'held', label: 'Held' },
  { value: 'payable', label: 'Payable' },
  { value: 'paid', label: 'Paid' },
  { value: 'reversed', label: 'Reversed' },
  { value: 'review', label: 'In review' },
]

const COLUMNS: Column<PortalEarning>[] = [
  {
    header: 'Earned for',
    cell: ({ kind, earnedAt }) => (
      <span className="block whitespace-nowrap">
        <span className="block font-medium">{KINDS[kind]}</span>
        <span className="block font-normal text-faint text-xs">{formatDate(earnedAt)}</span>
      </span>
    ),
    sort: 'earnedAt',
  },
  { header: 'State', cell: ({ state }) => <StateChip state={state} /> },
  {
    header: 'What it means',
    cell: (earning) => <span className="block max-w-prose text-pretty text-soft">{wordsOf(earning).join(' ')}</span>,
    className: 'w-full',
  },
  { header: 'Amount', cell: (earning) => <Left earning={earning} />, align: 'right', sort: 'amountCents' },
]

export const PortalEarnings = () => {
  const { programId } = usePartnership()
  const { search, setPage, setFilter, sortingFrom, clear } = useListSearch<EarningsSearch>()
  const earnings = usePortalEarnings(programId, { ...search, pageSize: PAGE_SIZE })
  const [opened, setOpened] = useState<PortalEarning | null>(null)
  return (
    <Page
      title="Earnings"
      description="What you earned, what is held until when, and what was taken back and why."
      actions={
        <a href={statementAddress(programId, 'earnings')} download className={buttonClass()}>
          <Download aria-hidden /> CSV file
        </a>
      }
    >
      <ListCard
        label="Earnings"
        noun="earnings"
        query={earnings}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        onPage={setPage}
        sorting={sortingFrom('-earnedAt')}
        onOpen={setOpened}
        filters={
          <Segmented
            label="State"
            value={search.state ?? ''}
            options={STATES}
            onChange={(state) => setFilter({ state: state || undefined })}
          />
        }
        empty={
          <EmptyState icon={<HandCoins />} title="Nothing earned yet">
            Share your link. Each sale that it brings is listed here with what it earned you.
          </EmptyState>
        }
        {...(search.state && { emptyFiltered: <NothingFits icon={<HandCoins />} noun="earning" onClear={clear} /> })}
      />
      <EarningPanel earning={opened} onClose={() => setOpened(null)} />
    </Page>
  )
}

const Left = ({ earning }: { earning: PortalEarning }) => (
  <span className="block whitespace-nowrap">
    <span className="block font-medium">{formatMoney(leftOf(earning), earning.currency)}</span>
    {earning.reversedCents > 0 && (
      <span className="block text-faint text-xs">of {formatMoney(earning.amountCents, earning.currency)}</span>
    )}
  </span>
)
