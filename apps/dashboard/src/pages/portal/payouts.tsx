import { Wallet } from 'lucide-react'
import { type PortalPayout, usePortalPayouts } from '~/api/portal.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { StateChip } from '~/components/badge.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import { formatCalendarDate, formatDate, formatMoney } from '~/components/format/format.ts'
import { lineStateOf } from '~/components/format/money-state.ts'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState, NothingFits } from '~/components/states.tsx'
import { PayoutDetailsCard } from './payout-details.tsx'
import { usePartnership } from './portal-context.ts'
import { payoutWords } from './reward-words.ts'
import { StatementsCard } from './statements-card.tsx'

const PAGE_SIZE = 25

type PayoutsSearch = ListSearch & { status?: string | undefined }

const STATES = [
  { value: '', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'paid', label: 'Paid' },
  { value: 'failed', label: 'Failed' },
]

const COLUMNS: Column<PortalPayout>[] = [
  {
    header: 'Payout',
    cell: ({ payoutId, createdAt }) => (
      <span className="block whitespace-nowrap">
        <span className="block font-medium">Payout {payoutId}</span>
        <span className="block font-normal text-faint text-xs">{formatDate(createdAt)}</span>
      </span>
    ),
    sort: 'createdAt',
  },
  { header: 'State', cell: (payout) => <StateChip state={lineStateOf(payout)} /> },
  { header: 'What it means', cell: (payout) => <span className="block text-pretty text-soft">{wordsOf(payout)}</span> },
  {
    header: 'Amount',
    cell: ({ amountCents, currency }) => formatMoney(amountCents, currency),
    align: 'right',
    sort: 'amountCents',
  },
]

const wordsOf = ({ status, emptied, decidedAt, paidAt, reference }: PortalPayout) => {
  if (status === 'open') return 'The program is preparing it.'
  const at = decidedAt ? ` on ${formatDate(decidedAt)}` : ''
  if (emptied) return `Was closed${at} without a payment: all that was in it had been taken back or disputed.`
  const on = paidAt ? ` on ${formatCalendarDate(paidAt)}` : at
  return status === 'paid'
    ? `Was sent${on}${reference ? `, reference ${reference}` : ''}.`
    : `Did not go through${at}. The money is still yours. Check your payout details.`
}

export const PortalPayouts = () => {
  const { programId, reward } = usePartnership()
  const { search, setPage, setFilter, sortingFrom, clear } = useListSearch<PayoutsSearch>()
  const payouts = usePortalPayouts(programId, { ...search, pageSize: PAGE_SIZE })
  return (
    <Page title="Payouts" description={payoutWords(reward)}>
      <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start">
        <ListCard
          label="Payouts"
          noun="payouts"
          query={payouts}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          onPage={setPage}
          sorting={sortingFrom('-createdAt')}
          filters={
            <Segmented
              label="State"
              value={search.status ?? ''}
              options={STATES}
              onChange={(status) => setFilter({ status: status || undefined })}
            />
          }
          empty={
            <EmptyState icon={<Wallet />} title="No payouts yet">
              Payouts appear here once the program creates one.
            </EmptyState>
          }
          {...(search.status && { emptyFiltered: <NothingFits icon={<Wallet />} noun="payout" onClear={clear} /> })}
        />
        <div className="flex flex-col gap-5">
          <PayoutDetailsCard />
          <StatementsCard />
        </div>
      </div>
    </Page>
  )
}
