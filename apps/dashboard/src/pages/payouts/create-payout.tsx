import { useNavigate } from '@tanstack/react-router'
import { type PayoutPreview, useCreatePayout } from '~/api/payouts.ts'
import { useProgram } from '~/app/program-context.ts'
import { ConfirmDialog } from '~/components/confirm-dialog.tsx'
import { formatCount, formatMoney } from '~/components/format.ts'
import { toast } from '~/components/toast.tsx'
import { sumText } from './sums.ts'

const SHOWN = 6

type Props = { open: boolean; onOpenChange: (open: boolean) => void; preview: PayoutPreview }

export const CreatePayout = ({ open, onOpenChange, preview }: Props) => {
  const { program } = useProgram()
  const create = useCreatePayout(program.id)
  const navigate = useNavigate()
  const confirm = () =>
    create.mutate(undefined, {
      onSuccess: ({ id, lines }) => {
        onOpenChange(false)
        toast.done(`Payout ${id} was created: ${sumText(lines)}.`)
        const params = { programId: String(program.id), payoutId: String(id) }
        void navigate({ to: '/programs/$programId/payouts/$payoutId', params })
      },
    })
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Create a payout of ${sumText(preview)}?`}
      confirm={`Create payout of ${sumText(preview)}`}
      busy={create.isPending}
      error={create.error}
      onConfirm={confirm}
    >
      <p>The sum is reserved for {formatCount(preview.length, 'line')}. No money moves until you send it yourself.</p>
      <ul className="mt-3 divide-y divide-line rounded-lg border border-line">
        {preview.slice(0, SHOWN).map(({ partnerId, partnerName, currency, amountCents }) => (
          <li key={`${partnerId} ${currency}`} className="flex justify-between gap-4 px-3 py-2">
            <span className="min-w-0 truncate text-ink">{partnerName}</span>
            <span className="tabular-nums">{formatMoney(amountCents, currency)}</span>
          </li>
        ))}
        {preview.length > SHOWN && <li className="px-3 py-2 text-faint">and {preview.length - SHOWN} more</li>}
      </ul>
    </ConfirmDialog>
  )
}
