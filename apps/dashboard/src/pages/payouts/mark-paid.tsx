import { useState } from 'react'
import { type PayoutLine, useDecidePayoutLines } from '~/api/payouts.ts'
import { useProgram } from '~/app/program-context.ts'
import { ConfirmDialog } from '~/components/confirm-dialog.tsx'
import { formatMoney } from '~/components/format.ts'
import { toast } from '~/components/toast.tsx'
import { DestinationFacts } from './destination.tsx'
import { NO_PAYMENT, PaymentFields, paymentOf } from './payment-fields.tsx'
import { amountToBook } from './sums.ts'

type Props = { payoutId: number; line: PayoutLine; onClose: () => void }

/**
 * Books the amount it shows. After a refund the person says which amount was sent; an exported amount is assumed to have been.
 */
export const MarkPaid = ({ payoutId, line, onClose }: Props) => {
  const { program } = useProgram()
  const decide = useDecidePayoutLines(program.id, payoutId)
  const { amountCents: due, exportedCents, reservedCents, currency, partnerName } = line
  const before = exportedCents ?? reservedCents
  const [amountCents, setAmount] = useState(amountToBook(line))
  const [payment, setPayment] = useState(NO_PAYMENT)
  const sum = formatMoney(amountCents, currency)
  const confirm = () =>
    decide.mutate([{ lineId: line.id, status: 'paid', amountCents, ...paymentOf(payment) }], {
      onSuccess: () => {
        toast.done(`${sum} to ${partnerName} is marked paid.`)
        onClose()
      },
    })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Mark ${sum} to ${partnerName} as paid?`}
      confirm={`Mark ${sum} paid`}
      busy={decide.isPending}
      error={decide.error}
      onConfirm={confirm}
    >
      <p>Do this once the money has left your account. It cannot be taken back here.</p>
      <DestinationFacts line={line} />
      <PaymentFields payment={payment} onChange={setPayment} error={decide.error} />
      {due !== before && (
        <fieldset className="mt-3 flex flex-col gap-2">
          <legend className="mb-1 font-medium text-ink">
            Refunds came after this payout was made. What did you send?
          </legend>
          {[due, before].map((cents) => (
            <label key={cents} className="flex items-center gap-2 text-ink">
              <input
                type="radio"
                name="amount"
                checked={amountCents === cents}
                onChange={() => setAmount(cents)}
                className="accent-accent"
              />
              {formatMoney(cents, currency)}
              <span className="text-faint text-xs">
                {cents === due
                  ? 'what is due now'
                  : exportedCents === null
                    ? 'what it was before; the rest becomes a debt'
                    : 'the highest amount you exported; the rest becomes a debt'}
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </ConfirmDialog>
  )
}
