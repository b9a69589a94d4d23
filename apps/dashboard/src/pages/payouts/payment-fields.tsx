import { Field, Input } from '~/components/field.tsx'
import { fieldError } from '~/components/form.tsx'

export type Payment = { reference: string; paidAt: string }
export const NO_PAYMENT: Payment = { reference: '', paidAt: '' }

/** What the service is told of a payment: a field that was left empty is not sent. */
export const paymentOf = ({ reference, paidAt }: Payment) => ({
  ...(reference.trim() && { reference: reference.trim() }),
  ...(paidAt && { paidAt }),
})

type Props = { payment: Payment; onChange: (payment: Payment) => void; error: unknown }

/** When and under which reference the money was sent. */
export const PaymentFields = ({ payment, onChange, error }: Props) => (
  <div className="mt-3 grid gap-3 sm:grid-cols-2">
    <Field label="Reference" optional error={fieldError(error, 'reference')}>
      {(wiring) => (
        <Input
          {...wiring}
          value={payment.reference}
          maxLength={255}
          placeholder="Transaction ID"
          autoComplete="off"
          onChange={({ target }) => onChange({ ...payment, reference: target.value })}
        />
      )}
    </Field>
    <Field label="Paid on" optional error={fieldError(error, 'paidAt')}>
      {(wiring) => (
        <Input
          {...wiring}
          type="date"
          value={payment.paidAt}
          onChange={({ target }) => onChange({ ...payment, paidAt: target.value })}
        />
      )}
    </Field>
  </div>
)
