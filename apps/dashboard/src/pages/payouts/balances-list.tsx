import { keepPreviousData } from '@tanstack/react-query'
import type { BalanceRow, PayoutPreview } from '@tributary/contract'
import { Wallet } from 'lucide-react'
import { useCall } from '~/api/call.ts'
import { useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { Badge, StateChip } from '~/components/badge.tsx'
import { SearchBox } from '~/components/controls/search-box.tsx'
import { formatMoney } from '~/components/format/format.ts'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import type { PhoneRow } from '~/components/lists/phone-rows.tsx'
import { EmptyState, NoMatches } from '~/components/states.tsx'
import { formatDayAhead } from '../holds/hold-text.ts'
import { PartnerLink, partnerProps } from '../partners/partner-link.tsx'
import { RewardsLink } from '../settings/rewards/rewards-link.tsx'
import { useListView } from '../views/use-list-view.tsx'
import type { PayoutsSearch } from './payouts.tsx'

const PAGE_SIZE = 25

/** Each partner's balance by state, and whether the next payout includes it. */
export const BalancesList = ({ preview }: { preview: PayoutPreview }) => {
  const { program } = useProgram()
  const { search, setPage, setFilter, sortingFrom } = useListSearch<PayoutsSearch>()
  const { page, sort, search: name } = search
  const query = { page, sort, search: name, zero: 'false', pageSize: PAGE_SIZE }
  const balances = useCall(
    'get /api/programs/{programId}/balances',
    { programId: program.id, query },
    { placeholderData: keepPreviousData },
  )
  const hasDisputes = balances.data?.data.some(({ disputedCents }) => disputedCents !== 0) ?? false
  const view = useListView({ list: 'payouts', columns: columnsFor(preview, hasDisputes) })
  return (
    <ListCard
      label="Balances"
      noun="balances"
      query={balances}
      columns={view.columns}
      phone={phoneRowFor(preview)}
      keyOf={({ partnerId, currency }) => `${partnerId} ${currency}`}
      onPage={setPage}
      sorting={sortingFrom('partnerName')}
      filters={
        <>
          <SearchBox
            label="Search balances"
            placeholder="Name, email or code"
            value={name ?? ''}
            onSearch={(text) => setFilter({ search: text || undefined })}
          />
          {view.tools}
        </>
      }
      empty={
        <EmptyState icon={<Wallet />} title="No balances yet" action={<RewardsLink />}>
          Balances appear here when partners earn their first commission.
        </EmptyState>
      }
      {...(name && {
        emptyFiltered: <NoMatches icon={<Wallet />} noun="balances" onClear={() => setFilter({ search: undefined })} />,
      })}
    />
  )
}

const money = (header: string, of: (row: BalanceRow) => number, sort?: string): Column<BalanceRow> => ({
  header,
  ...(sort && { sort }),
  cell: (row) => <Cents cents={of(row)} currency={row.currency} />,
  align: 'right',
})

/** Disputes are rare, so their column appears only if there are any. */
const columnsFor = (preview: PayoutPreview, hasDisputes: boolean): Column<BalanceRow>[] => [
  { header: 'Partner', cell: (row) => <Partner balance={row} />, sort: 'partnerName' },
  { header: 'Status', cell: (row) => <NextPayout balance={row} due={findDue(preview, row)} /> },
  { ...money('Held', ({ heldCents }) => heldCents, 'heldCents'), cell: (row) => <Held balance={row} /> },
  { ...money('Payable', ({ payableCents }) => payableCents, 'payableCents'), note: 'after reversals' },
  money('In review', ({ reviewCents }) => reviewCents, 'reviewCents'),
  ...(hasDisputes ? [money('In dispute', ({ disputedCents }) => disputedCents, 'disputedCents')] : []),
  money('In payout', ({ batchedCents }) => batchedCents, 'batchedCents'),
  money('Paid', ({ paidCents }) => paidCents, 'paidCents'),
]

/** What can be paid, and what will be; the partner's page has every amount. */
const phoneRowFor = (preview: PayoutPreview): PhoneRow<BalanceRow> => ({
  name: (row) => <PartnerLink {...partnerProps(row)} />,
  amount: ({ payableCents, currency }) => payableCents !== 0 && <Cents cents={payableCents} currency={currency} />,
  status: (row) => <NextPayout balance={row} due={findDue(preview, row)} />,
  date: ({ heldCents, currency }) => heldCents !== 0 && `${formatMoney(heldCents, currency)} held`,
})

/** A partner has one balance per currency. */
const Partner = ({ balance }: { balance: BalanceRow }) => (
  <span className="block min-w-0">
    <PartnerLink {...partnerProps(balance)} />
    <span className="block font-normal text-faint text-xs">{balance.currency}</span>
  </span>
)

const findDue = (preview: PayoutPreview, { partnerId, currency }: BalanceRow) =>
  preview.find((due) => due.partnerId === partnerId && due.currency === currency && due.excludedReason === null)

const Cents = ({ cents, currency }: { cents: number; currency: string }) => (
  <span className={cents === 0 ? 'text-faint' : cents < 0 ? 'text-bad-ink' : undefined}>
    {formatMoney(cents, currency)}
  </span>
)

/** With the date of the first part. */
const Held = ({ balance }: { balance: BalanceRow }) => (
  <>
    <Cents cents={balance.heldCents} currency={balance.currency} />
    {balance.nextPayable && (
      <span className="block font-normal text-faint text-xs sm:whitespace-nowrap">{nextPart(balance)}</span>
    )}
  </>
)

const nextPart = ({ heldCents, nextPayable, currency }: BalanceRow) => {
  if (!nextPayable) return null
  const { amountCents, on } = nextPayable
  const part = amountCents === heldCents ? 'payable' : `${formatMoney(amountCents, currency)} payable`
  return `${part} on ${formatDayAhead(on)}`
}

/** Mirrors the service: debts wait, and the minimum must be reached. */
const NextPayout = ({ balance, due }: { balance: BalanceRow; due: PayoutPreview[number] | undefined }) => {
  const { payableCents, batchedCents, heldCents, partnerStatus } = balance
  const isExcluded = partnerStatus !== 'approved' && payableCents + heldCents > 0
  if (due?.needsDetails) return <Badge tone="warn">Needs payout details</Badge>
  if (due?.destinationHeldUntil) return <Badge tone="warn">Payout details changed</Badge>
  if (due) return <Badge tone="accent">Ready</Badge>
  if (payableCents < 0) return <Badge tone="bad">Negative balance</Badge>
  if (isExcluded) return <StateChip state={`partner_${partnerStatus}`} />
  if (batchedCents > 0) return <Badge>In payout</Badge>
  if (payableCents > 0) return <Badge tone="warn">Below minimum</Badge>
  return <span className="text-faint">Nothing payable</span>
}
