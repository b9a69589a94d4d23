import { type PayoutLine, useDecidePayoutLines } from '~/api/money/payouts.ts'
import { useProgram } from '~/app/program-context.ts'
import { formatMoney } from '~/components/format/format.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'

type Props = { payoutId: number; line: PayoutLine; onClose: () => void }

export const MarkFailed = ({ payoutId, line, onClose }: Props) => {
  const { program } = useProgram()
  const decide = useDecidePayoutLines(program.id, payoutId)
  const amount = formatMoney(line.amountCents, line.currency)
  const confirm = () =>
    decide.mutate([{ lineId: line.id, status: 'failed' }], {
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
      onConfirm={confirm}
    >
      Use this if the payment did not arrive. {amount} returns to the partner’s balance and goes into the next payout.
    </ConfirmDialog>
  )
}
