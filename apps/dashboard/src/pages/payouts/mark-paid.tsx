import type { PayoutLine } from '@tributary/contract'
import { useState } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { formatMoney } from '~/components/format/format.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { useDecideLines } from './decide-lines.ts'
import { DestinationFacts } from './destination.tsx'
import { ExportedNote } from './exported-note.tsx'
import { PartnerWarning } from './partner-warning.tsx'
import { NO_PAYMENT, PAYMENT_FIELDS, PaymentFields, toPaymentRequest } from './payment-fields.tsx'
import { amountToBook } from './totals.ts'

type Props = { payoutId: number; line: PayoutLine; onClose: () => void }

/** Books the shown amount. After a refund the user picks the amount sent; the exported one is preselected. */
export const MarkPaid = ({ payoutId, line, onClose }: Props) => {
  const { program } = useProgram()
  const decide = useDecideLines(program.id, payoutId)
  const { amountCents: due, exportedCents, reservedCents, currency, partnerName } = line
  const before = exportedCents ?? reservedCents
  const [amountCents, setAmount] = useState(amountToBook(line))
  const [payment, setPayment] = useState(NO_PAYMENT)
  const amount = formatMoney(amountCents, currency)
  const confirm = () =>
    decide.mutate([{ lineId: line.id, status: 'paid', amountCents, ...toPaymentRequest(payment) }], {
      onSuccess: () => {
        toast.done(`${amount} to ${partnerName} marked as paid.`)
        onClose()
      },
    })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Mark ${amount} to ${partnerName} as paid?`}
      confirm={`Mark ${amount} as paid`}
      busy={decide.isPending}
      error={decide.error}
      fields={PAYMENT_FIELDS}
      onConfirm={confirm}
    >
      <p>Do this after you have sent the money. It can’t be undone.</p>
      <PartnerWarning line={line} />
      <DestinationFacts line={line} />
      <ExportedNote line={line} className="mt-3 text-ink" />
      <PaymentFields payment={payment} onChange={setPayment} error={decide.error} />
      {due !== before && (
        <fieldset className="mt-3 flex flex-col gap-2">
          <legend className="mb-1 font-medium text-ink">
            Reversals reduced this payment after the payout was created. How much did you send?
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
                  ? 'amount due now'
                  : exportedCents === null
                    ? 'amount before reversals; the next payout deducts the difference'
                    : 'highest exported amount; the next payout deducts the difference'}
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </ConfirmDialog>
  )
}
