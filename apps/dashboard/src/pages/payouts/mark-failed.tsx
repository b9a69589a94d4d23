import type { PayoutLine } from '@tributary/contract'
import { useState } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { formatMoney } from '~/components/format/format.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { useDecideLines } from './decide-lines.ts'
import { NoteField } from './payment-fields.tsx'

type Props = { payoutId: number; line: PayoutLine; onClose: () => void }

export const MarkFailed = ({ payoutId, line, onClose }: Props) => {
  const { program } = useProgram()
  const decide = useDecideLines(program.id, payoutId)
  const [note, setNote] = useState('')
  const amount = formatMoney(line.amountCents, line.currency)
  const confirm = () =>
    decide.mutate([{ lineId: line.id, status: 'failed', ...(note.trim() && { note: note.trim() }) }], {
      onSuccess: () => {
        toast.done(`${amount} returned to ${line.partnerName}’s balance.`)
        onClose()
      },
    })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Mark ${amount} to ${line.partnerName} as failed?`}
      confirm={`Mark ${amount} as failed`}
      danger
      busy={decide.isPending}
      error={decide.error}
      fields={['note']}
      onConfirm={confirm}
    >
      <p className="mb-3">
        Use this if the payment did not arrive. {amount} returns to the partner’s balance and goes into the next payout.
      </p>
      <NoteField note={note} onChange={setNote} error={decide.error} />
    </ConfirmDialog>
  )
}
