import type { BalanceRow } from '@tributary/contract'
import { Wallet } from 'lucide-react'
import { type PayoutPreview, useBalances } from '~/api/money/payouts.ts'
import { useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { Badge, StateChip } from '~/components/badge.tsx'
import { SearchBox } from '~/components/controls/search-box.tsx'
import { formatMoney } from '~/components/format/format.ts'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import { EmptyState, NothingFits } from '~/components/states.tsx'
import { ofPartner, PartnerLink } from '../partners/partner-link.tsx'
import { ToRewards } from '../settings/rewards/to-rewards.tsx'
import type { PayoutsSearch } from './payouts.tsx'

const PAGE_SIZE = 25

/** What each partner has, by where it stands, and why a payout would take it or not. */
export const BalancesList = ({ preview }: { preview: PayoutPreview }) => {
  const { program } = useProgram()
  const { search, setPage, setFilter, sortingFrom } = useListSearch<PayoutsSearch>()
  const { page, sort, search: name } = search
  const balances = useBalances(program.id, { page, sort, search: name, pageSize: PAGE_SIZE })
  return (
    <ListCard
      label="Balances"
      noun="balances"
      query={balances}
      columns={columnsFor(preview, balances.data?.data.some(({ disputedCents }) => disputedCents !== 0) ?? false)}
      keyOf={({ partnerId, currency }) => `${partnerId} ${currency}`}
      onPage={setPage}
      sorting={sortingFrom('partnerName')}
      filters={
        <SearchBox
          label="Search balances"
          placeholder="Partner"
          value={name ?? ''}
          onSearch={(text) => setFilter({ search: text || undefined })}
        />
      }
      empty={
        <EmptyState icon={<Wallet />} title="No balances yet" action={<ToRewards />}>
          A partner gets a balance with their first commission.
        </EmptyState>
      }
      {...(name && {
        emptyFiltered: (
          <NothingFits icon={<Wallet />} noun="balance" onClear={() => setFilter({ search: undefined })} />
        ),
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

/** A dispute is rare, and has a column only where there is one. */
const columnsFor = (preview: PayoutPreview, hasDisputes: boolean): Column<BalanceRow>[] => [
  { header: 'Partner', cell: (row) => <PartnerLink {...ofPartner(row)} />, sort: 'partnerName' },
  { header: 'Next payout', cell: (row) => <Next balance={row} due={dueOf(preview, row)} /> },
  money('Payable', ({ payableCents }) => payableCents, 'payableCents'),
  money('Held', ({ heldCents }) => heldCents, 'heldCents'),
  money('In review', ({ reviewCents }) => reviewCents),
  ...(hasDisputes ? [money('In dispute', ({ disputedCents }) => disputedCents)] : []),
  money('In payout', ({ batchedCents }) => batchedCents, 'batchedCents'),
  money('Paid', ({ paidCents }) => paidCents, 'paidCents'),
]

const dueOf = (preview: PayoutPreview, { partnerId, currency }: BalanceRow) =>
  preview.find((due) => due.partnerId === partnerId && due.currency === currency)

const Cents = ({ cents, currency }: { cents: number; currency: string }) => (
  <span className={cents === 0 ? 'text-faint' : cents < 0 ? 'text-bad-ink' : undefined}>
    {cents === 0 ? '–' : formatMoney(cents, currency)}
  </span>
)

/** As the service decides it: a debt waits, and the minimum must be reached. */
const Next = ({ balance, due }: { balance: BalanceRow; due: PayoutPreview[number] | undefined }) => {
  const { payableCents, batchedCents, heldCents, partnerStatus } = balance
  const isLeftOut = partnerStatus !== 'approved' && payableCents + heldCents > 0
  if (due?.needsDetails) return <Badge tone="warn">Needs details</Badge>
  if (due?.destinationHeldUntil) return <Badge tone="warn">Destination held</Badge>
  if (due) return <Badge tone="accent">Ready</Badge>
  if (payableCents < 0) return <Badge tone="bad">Debt</Badge>
  if (isLeftOut) return <StateChip state={`partner_${partnerStatus}`} />
  if (batchedCents > 0) return <Badge>In a payout</Badge>
  if (payableCents > 0) return <Badge tone="warn">Below minimum</Badge>
  return <span className="text-faint">–</span>
}
