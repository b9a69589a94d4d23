import { CheckCheck } from 'lucide-react'
import { useState } from 'react'
import { type PayoutLine, useDecidePayoutLines } from '~/api/money/payouts.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { formatCount } from '~/components/format/format.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { NO_PAYMENT, PAYMENT_FIELDS, PaymentFields, paymentOf } from './payment-fields.tsx'
import { amountToBook, sumText } from './sums.ts'

type Props = {
  payoutId: number
  /** The open lines that payment files include. */
  open: PayoutLine[]
  hasOthers: boolean
}

export const MarkAllPaid = ({ payoutId, open, hasOthers }: Props) => {
  const { program } = useProgram()
  const decide = useDecidePayoutLines(program.id, payoutId)
  const [isAsking, setAsking] = useState(false)
  const [payment, setPayment] = useState(NO_PAYMENT)
  const lines = open.map((line) => ({ ...line, amountCents: amountToBook(line) }))
  const sum = sumText(lines)
  const isMore = lines.some(({ amountCents }, index) => amountCents !== open[index]?.amountCents)
  const confirm = () =>
    decide.mutate(
      lines.map(({ id, amountCents }) => ({ lineId: id, status: 'paid', amountCents, ...paymentOf(payment) })),
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
        fields={PAYMENT_FIELDS}
        onConfirm={confirm}
      >
        <p>
          Marks the {formatCount(open.length, 'line')} that payment files include.
          {hasOthers && ' Mark the others one by one.'}
        </p>
        <p className="mt-3">Do this after you have sent the money. It cannot be undone here.</p>
        {isMore && (
          <p className="mt-3">
            Refunds came in after you exported. The exported amounts are booked, and anything above the amount due
            becomes a debt. To book less, mark the line on its own.
          </p>
        )}
        <PaymentFields payment={payment} onChange={setPayment} error={decide.error} />
      </ConfirmDialog>
    </>
  )
}
