import { Link } from '@tanstack/react-router'
import type { PortalPayout } from '@tributary/contract'
import { FileText, Wallet } from 'lucide-react'
import { useCall } from '~/api/call.ts'
import { LIVE_LIST } from '~/api/live.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { StateChip } from '~/components/badge.tsx'
import { buttonClass } from '~/components/controls/button.tsx'
import { comparedQuery } from '~/components/controls/period-menu.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import { SomeAmounts } from '~/components/format/amounts.tsx'
import { formatCalendarDate, formatDate, formatMoney } from '~/components/format/format.ts'
import { displayLineState } from '~/components/format/money-state.ts'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import type { PhoneRow } from '~/components/lists/phone-rows.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState, NoMatches } from '~/components/states.tsx'
import { LegalDetailsCard } from './details/legal-details.tsx'
import { PayoutDetailsCard } from './details/payout-details.tsx'
import { ExportCard } from './export-card.tsx'
import { LinksButton } from './links-button.tsx'
import { NextPayout } from './overview/next-payout.tsx'
import { usePartnership } from './portal-context.ts'
import { payoutTerms } from './reward-text.ts'

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
  { header: 'Status', cell: (payout) => <StateChip state={displayLineState(payout)} /> },
  {
    header: 'Details',
    cell: (payout) => <span className="block text-pretty text-soft">{describePayout(payout)}</span>,
    className: 'w-full',
  },
  {
    header: 'Amount',
    cell: ({ amountCents, currency }) => formatMoney(amountCents, currency),
    align: 'right',
    sort: 'amountCents',
  },
]

const ON_PHONE: PhoneRow<PortalPayout> = {
  name: ({ payoutId }) => `Payout ${payoutId}`,
  amount: (payout) => <SomeAmounts of={[payout]} currency={payout.currency} />,
  status: (payout) => (
    <>
      <StateChip state={displayLineState(payout)} />{' '}
      {payout.status === 'failed' && !payout.emptied && 'back in your balance'}
    </>
  ),
  date: ({ paidAt, createdAt }) => (paidAt ? formatCalendarDate(paidAt) : formatDate(createdAt)),
}

const StatementLink = ({ payout: { id, payoutId } }: { payout: PortalPayout }) => {
  const { programId } = usePartnership()
  return (
    <Link
      to="/portal/$programId/payouts/$lineId/statement"
      params={{ programId: String(programId), lineId: String(id) }}
      aria-label={`Statement of payout ${payoutId}`}
      className={buttonClass({ look: 'quiet', size: 'small' })}
    >
      <FileText aria-hidden /> Statement
    </Link>
  )
}

const describePayout = ({ status, emptied, decidedAt, paidAt, reference }: PortalPayout) => {
  if (status === 'open') return 'The program is preparing this payout.'
  const at = decidedAt ? ` on ${formatDate(decidedAt)}` : ''
  if (emptied) return `Closed${at} without a payment because all its commissions were reversed or disputed.`
  const on = paidAt ? ` on ${formatCalendarDate(paidAt)}` : at
  return status === 'paid'
    ? `Paid${on}${reference ? `, reference ${reference}` : ''}.`
    : `Failed${at}. The amount is back in your balance. Check your payout details.`
}

const Terms = () => {
  const { programId, reward } = usePartnership()
  const overview = useCall('get /api/portal/programs/{programId}/overview', { programId, query: comparedQuery({}) })
  return (
    <>
      {overview.data && <NextPayout next={overview.data.nextPayout} />} {payoutTerms(reward)}
    </>
  )
}

export const PortalPayouts = () => {
  const { programId } = usePartnership()
  const { search, setPage, setFilter, sortingFrom, clear } = useListSearch<PayoutsSearch>()
  const query = { ...search, pageSize: PAGE_SIZE }
  const payouts = useCall('get /api/portal/programs/{programId}/payouts', { programId, query }, LIVE_LIST)
  return (
    <Page title="Payouts" description={<Terms />}>
      <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start">
        <ListCard
          label="Payouts"
          noun="payouts"
          query={payouts}
          columns={COLUMNS}
          phone={ON_PHONE}
          actions={(payout) => <StatementLink payout={payout} />}
          keyOf={({ id }) => id}
          onPage={setPage}
          sorting={sortingFrom('-createdAt')}
          filters={
            <Segmented
              label="Status"
              value={search.status ?? ''}
              options={STATES}
              onChange={(status) => setFilter({ status: status || undefined })}
            />
          }
          empty={
            <EmptyState icon={<Wallet />} title="No payouts yet" action={<LinksButton />}>
              Payouts appear here once your commissions are paid.
            </EmptyState>
          }
          {...(search.status && { emptyFiltered: <NoMatches icon={<Wallet />} noun="payouts" onClear={clear} /> })}
        />
        <div className="flex flex-col gap-5">
          <PayoutDetailsCard />
          <LegalDetailsCard />
          <ExportCard />
        </div>
      </div>
    </Page>
  )
}
