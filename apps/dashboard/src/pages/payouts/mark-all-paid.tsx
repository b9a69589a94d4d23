import { CheckCheck } from 'lucide-react'
import { useState } from 'react'
import { type PayoutLine, useDecidePayoutLines } from '~/api/payouts.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/button.tsx'
import { ConfirmDialog } from '~/components/confirm-dialog.tsx'
import { formatCount } from '~/components/format.ts'
import { toast } from '~/components/toast.tsx'
import { sumText } from './sums.ts'

export const MarkAllPaid = ({ payoutId, open }: { payoutId: number; open: PayoutLine[] }) => {
  const { program } = useProgram()
  const decide = useDecidePayoutLines(program.id, payoutId)
  const [isAsking, setAsking] = useState(false)
  const sum = sumText(open)
  const confirm = () =>
    decide.mutate(
      open.map(({ id, amountCents }) => ({ lineId: id, status: 'paid', amountCents })),
      {
        onSuccess: () => {
          setAsking(false)
          toast.done(`${sum} is marked paid.`)
        },
      },
    )
  return (
    <>
      <Button look="primary" onClick={() => setAsking(true)}>
        <CheckCheck aria-hidden /> Mark all paid
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Mark ${sum} as paid?`}
        confirm={`Mark ${sum} paid`}
        busy={decide.isPending}
        error={decide.error}
        onConfirm={confirm}
      >
        All {formatCount(open.length, 'open line')} of this payout. Do this once the money has left your account: it
        cannot be taken back here.
      </ConfirmDialog>
    </>
  )
}
