import type { PayoutLine } from '@tributary/contract'
import { CheckCheck } from 'lucide-react'
import { useState } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { useDecideLines } from './decide-lines.ts'
import { NO_PAYMENT, PAYMENT_FIELDS, PaymentFields, toPaymentRequest } from './payment-fields.tsx'
import { amountToBook, formatTotals } from './totals.ts'

type Props = {
  payoutId: number
  /** Open lines that payment files include. */
  open: PayoutLine[]
  hasOthers: boolean
}

const describeOpen = (count: number, hasOthers: boolean) => {
  if (hasOthers)
    return count === 1 ? 'the one open payment in a payment file' : `the ${count} open payments in payment files`
  if (count === 1) return 'the open payment'
  return count === 2 ? 'both open payments' : `all ${count} open payments`
}

export const MarkAllPaid = ({ payoutId, open, hasOthers }: Props) => {
  const { program } = useProgram()
  const decide = useDecideLines(program.id, payoutId)
  const [isConfirming, setConfirming] = useState(false)
  const [payment, setPayment] = useState(NO_PAYMENT)
  const lines = open.map((line) => ({ ...line, amountCents: amountToBook(line) }))
  const total = formatTotals(lines)
  const exceedsDue = lines.some(({ amountCents }, index) => amountCents !== open[index]?.amountCents)
  const confirm = () =>
    decide.mutate(
      lines.map(({ id, amountCents }) => ({ lineId: id, status: 'paid', amountCents, ...toPaymentRequest(payment) })),
      {
        onSuccess: () => {
          setConfirming(false)
          toast.done(`${total} marked as paid.`)
        },
      },
    )
  return (
    <>
      <Button look="primary" onClick={() => setConfirming(true)}>
        <CheckCheck aria-hidden /> Mark all as paid
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Mark ${total} as paid?`}
        confirm={`Mark ${total} as paid`}
        busy={decide.isPending}
        error={decide.error}
        fields={PAYMENT_FIELDS}
        onConfirm={confirm}
      >
        <p>
          This marks {describeOpen(open.length, hasOthers)} as paid.
          {hasOthers && ' Mark the others individually.'}
        </p>
        <p className="mt-3">Do this after you have sent the money. It can’t be undone.</p>
        {exceedsDue && (
          <p className="mt-3">
            Commissions were reversed after you exported. This marks the exported amounts as paid, and the next payouts
            deduct the difference. If you sent less, mark that payment individually.
          </p>
        )}
        <PaymentFields payment={payment} onChange={setPayment} error={decide.error} />
      </ConfirmDialog>
    </>
  )
}
