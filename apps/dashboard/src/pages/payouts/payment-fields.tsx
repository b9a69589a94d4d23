import { Field, Input } from '~/components/controls/field.tsx'
import { fieldError } from '~/components/controls/form.tsx'
import { DateField } from '~/components/dates/date-field.tsx'
import { today } from '~/components/format/time-zone.ts'

export type Payment = { reference: string; paidAt: string }
/** Fields that show their own errors. */
export const PAYMENT_FIELDS = ['reference', 'paidAt']
export const NO_PAYMENT: Payment = { reference: '', paidAt: '' }

/** Omits empty fields from the request. */
export const toPaymentRequest = ({ reference, paidAt }: Payment) => ({
  ...(reference.trim() && { reference: reference.trim() }),
  ...(paidAt && { paidAt }),
})

type Props = { payment: Payment; onChange: (payment: Payment) => void; error: unknown }

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
        <DateField
          {...wiring}
          max={today()}
          value={payment.paidAt}
          onChange={(paidAt) => onChange({ ...payment, paidAt })}
        />
      )}
    </Field>
  </div>
)
