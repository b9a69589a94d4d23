import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type PayoutPreview, useCreatePayout } from '~/api/money/payouts.ts'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { formatMoney } from '~/components/format/format.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { Scrollable } from '~/components/scrollable.tsx'
import { DestinationWarning } from './destination.tsx'
import { formatTotals, isReady } from './totals.ts'

type Props = { open: boolean; onOpenChange: (open: boolean) => void; preview: PayoutPreview }

export const CreatePayout = ({ open, onOpenChange, preview }: Props) => {
  const { program } = useProgram()
  const create = useCreatePayout(program.id)
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<number[] | null>(null)
  const excluded = chosen ?? preview.filter((due) => !isReady(due)).map(({ partnerId }) => partnerId)
  const included = preview.filter(({ partnerId }) => !excluded.includes(partnerId))
  const isEmpty = included.length === 0
  const setOpen = (next: boolean) => {
    setChosen(null)
    create.reset()
    onOpenChange(next)
  }
  const confirm = () => {
    if (isEmpty) return
    const excludedIds = excluded.filter((id) => preview.some(({ partnerId }) => partnerId === id))
    create.mutate(excludedIds, {
      onSuccess: ({ id, lines }) => {
        setOpen(false)
        toast.done(`Payout ${id} created: ${formatTotals(lines)}.`)
        const params = { programId: String(program.id), payoutId: String(id) }
        void navigate({ to: '/programs/$programId/payouts/$payoutId', params })
      },
    })
  }
  const toggle = (partnerId: number) =>
    setChosen(excluded.includes(partnerId) ? excluded.filter((id) => id !== partnerId) : [...excluded, partnerId])
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={setOpen}
      title={isEmpty ? 'Select at least one partner' : `Create payout of ${formatTotals(included)}?`}
      confirm={isEmpty ? 'Create payout' : `Create payout of ${formatTotals(included)}`}
      busy={create.isPending}
      disabled={isEmpty}
      error={create.error}
      onConfirm={confirm}
    >
      <p>
        Creates one payment per partner and currency. No money moves until you send it. Balances of unchecked partners
        stay payable.
      </p>
      <Scrollable
        label="Partners in this payout"
        className="mt-3 max-h-72 overflow-y-auto rounded-lg border border-line"
      >
        <ul className="divide-y divide-line">
          {preview.map((due) => (
            <li key={`${due.partnerId} ${due.currency}`}>
              <DueBalance
                due={due}
                included={!excluded.includes(due.partnerId)}
                onToggle={() => toggle(due.partnerId)}
              />
            </li>
          ))}
        </ul>
      </Scrollable>
    </ConfirmDialog>
  )
}

type DueBalanceProps = { due: PayoutPreview[number]; included: boolean; onToggle: () => void }

const DueBalance = ({ due, included, onToggle }: DueBalanceProps) => (
  <label className="flex cursor-pointer items-start gap-3 px-3 py-2">
    <input type="checkbox" checked={included} onChange={onToggle} className="mt-0.5 size-4 accent-accent" />
    <span className="min-w-0 flex-1">
      <span className="flex items-center gap-2">
        <span className="truncate text-ink">{due.partnerName}</span>
        {due.partnerArchived && <StateChip state="archived" />}
      </span>
      <DestinationWarning line={due} />
    </span>
    <span className="tabular-nums">{formatMoney(due.amountCents, due.currency)}</span>
  </label>
)
