import { Check, X } from 'lucide-react'
import { useState } from 'react'
import type { Payout, PayoutLine } from '~/api/payouts.ts'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { Button } from '~/components/button.tsx'
import { Card } from '~/components/card.tsx'
import { type Column, DataTable } from '~/components/data-table.tsx'
import { formatMoney, formatTime } from '~/components/format.ts'
import { MenuItem, RowMenu } from '~/components/menu.tsx'
import { MarkFailed } from './mark-failed.tsx'
import { MarkPaid } from './mark-paid.tsx'
import { PartnerLink } from './partner-link.tsx'

const COLUMNS: Column<PayoutLine>[] = [
  { header: 'Partner', cell: (line) => <PartnerLink {...line} /> },
  { header: 'State', cell: ({ status }) => <StateChip state={status} /> },
  {
    header: 'Decided',
    cell: ({ decidedAt }) => (decidedAt ? formatTime(decidedAt) : <span className="text-faint">–</span>),
    align: 'right',
    hideOnPhone: true,
  },
  { header: 'Amount', cell: (line) => <Amount line={line} />, align: 'right' },
]

export const PayoutLines = ({ payout }: { payout: Payout }) => {
  const { may } = useProgram()
  const hasActions = may('payout:manage') && payout.lines.some(({ status }) => status === 'open')
  return (
    <Card>
      <DataTable
        label={`Lines of payout ${payout.id}`}
        columns={COLUMNS}
        rows={payout.lines}
        keyOf={({ id }) => id}
        {...(hasActions && { actions: (line: PayoutLine) => <LineActions payoutId={payout.id} line={line} /> })}
      />
    </Card>
  )
}

const Amount = ({ line: { amountCents, reservedCents, status, currency } }: { line: PayoutLine }) => {
  const shown = status === 'failed' ? reservedCents : amountCents
  return (
    <span className="block whitespace-nowrap">
      <span className={status === 'failed' ? 'block text-faint line-through' : 'block font-medium'}>
        {formatMoney(shown, currency)}
      </span>
      {status !== 'failed' && shown !== reservedCents && (
        <span className="block text-faint text-xs">{formatMoney(reservedCents, currency)} before refunds</span>
      )}
    </span>
  )
}

const LineActions = ({ payoutId, line }: { payoutId: number; line: PayoutLine }) => {
  const [asked, setAsked] = useState<'paid' | 'failed' | null>(null)
  const close = () => setAsked(null)
  if (line.status !== 'open') return null
  return (
    <span className="flex items-center justify-end gap-1">
      <Button
        size="small"
        aria-label={`Mark paid: ${line.partnerName}, ${line.currency}`}
        onClick={() => setAsked('paid')}
      >
        Mark paid
      </Button>
      <RowMenu label={`Actions for ${line.partnerName}, ${line.currency}`}>
        <MenuItem onSelect={() => setAsked('paid')}>
          <Check aria-hidden /> Mark paid
        </MenuItem>
        <MenuItem danger onSelect={() => setAsked('failed')}>
          <X aria-hidden /> Mark failed
        </MenuItem>
      </RowMenu>
      {asked === 'paid' && <MarkPaid payoutId={payoutId} line={line} onClose={close} />}
      {asked === 'failed' && <MarkFailed payoutId={payoutId} line={line} onClose={close} />}
    </span>
  )
}
