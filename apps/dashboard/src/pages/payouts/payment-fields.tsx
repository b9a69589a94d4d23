import { Field, Input } from '~/components/controls/field.tsx'
import { fieldError } from '~/components/controls/form.tsx'
import { DateField } from '~/components/dates/date-field.tsx'
import { today } from '~/components/format/time-zone.ts'

export type Payment = { reference: string; paidAt: string; note: string }
/** Fields that show their own errors. */
export const PAYMENT_FIELDS = ['reference', 'paidAt', 'note']
export const NO_PAYMENT: Payment = { reference: '', paidAt: '', note: '' }

/** Omits empty fields from the request. */
export const toPaymentRequest = ({ reference, paidAt, note }: Payment) => ({
  ...(reference.trim() && { reference: reference.trim() }),
  ...(paidAt && { paidAt }),
  ...(note.trim() && { note: note.trim() }),
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
    <div className="sm:col-span-2">
      <NoteField note={payment.note} onChange={(note) => onChange({ ...payment, note })} error={error} />
    </div>
  </div>
)

type NoteProps = { note: string; onChange: (note: string) => void; error: unknown }

/** Kept in the history of the line. */
export const NoteField = ({ note, onChange, error }: NoteProps) => (
  <Field label="Note" optional error={fieldError(error, 'note')}>
    {(wiring) => (
      <Input
        {...wiring}
        value={note}
        maxLength={500}
        placeholder="Visible to your team"
        autoComplete="off"
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
)
