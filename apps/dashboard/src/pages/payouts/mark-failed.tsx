import { type PayoutLine, useDecidePayoutLines } from '~/api/money/payouts.ts'
import { useProgram } from '~/app/program-context.ts'
import { formatMoney } from '~/components/format/format.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'

type Props = { payoutId: number; line: PayoutLine; onClose: () => void }

export const MarkFailed = ({ payoutId, line, onClose }: Props) => {
  const { program } = useProgram()
  const decide = useDecidePayoutLines(program.id, payoutId)
  const sum = formatMoney(line.amountCents, line.currency)
  const confirm = () =>
    decide.mutate([{ lineId: line.id, status: 'failed' }], {
      onSuccess: () => {
        toast.done(`${sum} is back in the balance of ${line.partnerName}.`)
        onClose()
      },
    })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Mark ${sum} to ${line.partnerName} as failed?`}
      confirm={`Mark ${sum} failed`}
      danger
      busy={decide.isPending}
      error={decide.error}
      onConfirm={confirm}
    >
      Use this if the money did not arrive. {sum} goes back to their balance and into the next payout.
    </ConfirmDialog>
  )
}
