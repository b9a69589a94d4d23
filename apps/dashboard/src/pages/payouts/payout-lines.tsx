import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { PayoutLine } from '@tributary/contract'
import { Banknote, Check, FileText, History, Undo2, X } from 'lucide-react'
import { useState } from 'react'
import { useCall, useChange } from '~/api/call.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { Button } from '~/components/controls/button.tsx'
import { SearchBox } from '~/components/controls/search-box.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import { formatCalendarDate, formatMoney, formatTime } from '~/components/format/format.ts'
import { displayLineState, exclusionReason } from '~/components/format/money-state.ts'
import { Ago } from '~/components/format/time.tsx'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import type { PhoneRow } from '~/components/lists/phone-rows.tsx'
import { MenuItem, RowMenu } from '~/components/overlays/menu.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { NoMatches } from '~/components/states.tsx'
import { PartnerLink, partnerProps } from '../partners/partner-link.tsx'
import { Destination } from './destination.tsx'
import { ExportedNote } from './exported-note.tsx'
import { LineHistory } from './line-history.tsx'
import { MarkFailed } from './mark-failed.tsx'
import { MarkPaid } from './mark-paid.tsx'

const PAGE_SIZE = 25

const lineChip = (line: PayoutLine) =>
  exclusionReason(line) === 'not approved' ? `partner_${line.partnerStatus}` : displayLineState(line)

const columnsFor = (mayPay: boolean): Column<PayoutLine>[] => [
  { header: 'Partner', cell: (line) => <PartnerLink {...partnerProps(line)} />, sort: 'partnerName' },
  ...(mayPay ? [{ header: 'Pay to', cell: (line: PayoutLine) => <Destination line={line} /> }] : []),
  { header: 'Status', cell: (line) => <StateChip state={lineChip(line)} /> },
  {
    header: 'Updated',
    cell: (line) => <Outcome line={line} />,
    align: 'right',
    sort: 'decidedAt',
    hideOnPhone: true,
  },
  { header: 'Amount', cell: (line) => <Amount line={line} />, align: 'right', sort: 'amountCents' },
]

const ON_PHONE: PhoneRow<PayoutLine> = {
  name: (line) => <PartnerLink {...partnerProps(line)} />,
  amount: (line) => <LineCents line={line} />,
  status: (line) => (
    <>
      <StateChip state={lineChip(line)} />
      {line.needsDetails && <span className="truncate text-warn-ink">Needs payout details</span>}
      {line.status === 'open' && line.method === line.payoutDetails?.method && (
        <span className="truncate">{line.payoutDetails.account}</span>
      )}
    </>
  ),
  date: ({ decidedAt }) => decidedAt && <Ago at={decidedAt} />,
}

type LinesSearch = ListSearch & { [name in 'status' | 'search']?: string | undefined }

const STATES = [
  { value: '', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'paid', label: 'Paid' },
  { value: 'failed', label: 'Failed' },
]

export const PayoutLines = ({ payoutId }: { payoutId: number }) => {
  const { program, may } = useProgram()
  const { search, setPage, setFilter, sortingFrom, clear } = useListSearch<LinesSearch>()
  const query = { ...search, pageSize: PAGE_SIZE }
  const lines = useCall(
    'get /api/programs/{programId}/payouts/{payoutId}/lines',
    { programId: program.id, payoutId, query },
    { placeholderData: keepPreviousData },
  )
  const mayPay = may('payout:manage')
  return (
    <ListCard
      label={`Payments in payout ${payoutId}`}
      noun="payments"
      query={lines}
      columns={columnsFor(mayPay)}
      phone={ON_PHONE}
      keyOf={({ id }) => id}
      onPage={setPage}
      sorting={sortingFrom('partnerName')}
      filters={
        <>
          <SearchBox
            label="Search payments"
            placeholder="Partner name"
            value={search.search ?? ''}
            onSearch={(text) => setFilter({ search: text || undefined })}
          />
          <Segmented
            label="Status"
            value={search.status ?? ''}
            options={STATES}
            onChange={(status) => setFilter({ status: status || undefined })}
          />
        </>
      }
      empty={<NoMatches icon={<Banknote />} noun="payments" onClear={clear} />}
      {...(mayPay && { actions: (line: PayoutLine) => <LineActions payoutId={payoutId} line={line} /> })}
    />
  )
}

const Outcome = ({ line: { decidedAt, paidAt, reference, note } }: { line: PayoutLine }) => {
  if (!decidedAt) return <span className="text-faint">–</span>
  return (
    <span className="block">
      <span className="block">{formatTime(decidedAt)}</span>
      {paidAt && <span className="block text-faint text-xs">Paid on {formatCalendarDate(paidAt)}</span>}
      {reference && <span className="block break-all text-faint text-xs">{reference}</span>}
      {note && <span className="block text-pretty text-faint text-xs">{note}</span>}
    </span>
  )
}

const Amount = ({ line }: { line: PayoutLine }) => {
  const { amountCents, reservedCents, currency } = line
  return (
    <div className="whitespace-nowrap">
      <LineCents line={line} />
      {amountCents !== reservedCents && (
        <span className="block text-faint text-xs">{formatMoney(reservedCents, currency)} before reversals</span>
      )}
      <ExportedNote line={line} className="text-faint text-xs" />
    </div>
  )
}

const LineCents = ({ line: { amountCents, status, emptied, currency } }: { line: PayoutLine }) => (
  <span className={status === 'failed' && !emptied ? 'block text-faint line-through' : 'block font-medium'}>
    {formatMoney(amountCents, currency)}
  </span>
)

type LineProps = { payoutId: number; line: PayoutLine }

const LineActions = ({ payoutId, line }: LineProps) => {
  const { program } = useProgram()
  const navigate = useNavigate()
  const [opened, setOpened] = useState<'paid' | 'failed' | 'history' | null>(null)
  const close = () => setOpened(null)
  const isOpen = line.status === 'open'
  const openStatement = () => {
    const params = { programId: String(program.id), payoutId: String(payoutId), lineId: String(line.id) }
    void navigate({ to: '/programs/$programId/payouts/$payoutId/statements/$lineId', params })
  }
  return (
    <span className="flex items-center justify-end gap-1">
      {isOpen && (
        <Button
          size="small"
          className="max-sm:hidden"
          aria-label={`Mark as paid: ${line.partnerName}, ${line.currency}`}
          onClick={() => setOpened('paid')}
        >
          Mark as paid
        </Button>
      )}
      <RowMenu label={`Actions for ${line.partnerName}, ${line.currency}`}>
        {isOpen && (
          <MenuItem onSelect={() => setOpened('paid')}>
            <Check aria-hidden /> Mark as paid
          </MenuItem>
        )}
        <ResetItem payoutId={payoutId} line={line} />
        <MenuItem onSelect={openStatement}>
          <FileText aria-hidden /> View statement
        </MenuItem>
        <MenuItem onSelect={() => setOpened('history')}>
          <History aria-hidden /> View history
        </MenuItem>
        {isOpen && (
          <MenuItem danger onSelect={() => setOpened('failed')}>
            <X aria-hidden /> Mark as failed
          </MenuItem>
        )}
      </RowMenu>
      {opened === 'paid' && <MarkPaid payoutId={payoutId} line={line} onClose={close} />}
      {opened === 'failed' && <MarkFailed payoutId={payoutId} line={line} onClose={close} />}
      {opened === 'history' && <LineHistory payoutId={payoutId} line={line} onClose={close} />}
    </span>
  )
}

/** Only for an open line whose partner has changed the method since it was in a payment file. */
const ResetItem = ({ payoutId, line: { id, status, method, payoutDetails } }: LineProps) => {
  const { program } = useProgram()
  const reset = useChange(
    'post /api/programs/{programId}/payouts/{payoutId}/lines/{lineId}/reset',
    { programId: program.id, payoutId, lineId: id },
    {
      onSuccess: () => toast.done('Payment removed from its file. The next export uses the new method.'),
      onError: toast.failed,
    },
  )
  if (status !== 'open' || method === null || payoutDetails === null || method === payoutDetails.method) return null
  return (
    <MenuItem onSelect={() => reset.mutate({})}>
      <Undo2 aria-hidden /> Remove from payment file
    </MenuItem>
  )
}
