import type { PayoutDetails } from '@tributary/contract'
import { useState } from 'react'
import { useCall, useChange } from '~/api/call.ts'
import { Field, Input, Select, Textarea } from '~/components/controls/field.tsx'
import { fieldError, formText } from '~/components/controls/form.tsx'
import { formatDate, formatTime } from '~/components/format/format.ts'
import { toast } from '~/components/overlays/toast.tsx'
import { TwoFactorNote } from '~/components/two-factor-note.tsx'
import { usePartnership } from '../portal-context.ts'
import { DetailsCard, DetailsForm } from './details-card.tsx'

type Method = PayoutDetails['method']

const METHODS: Record<Method, { label: string; account: string; placeholder: string }> = {
  paypal: { label: 'PayPal', account: 'PayPal email', placeholder: 'maya@example.com' },
  wise: { label: 'Wise', account: 'Wise email', placeholder: 'maya@example.com' },
  bank: { label: 'Bank transfer', account: 'IBAN or account number', placeholder: 'DE89 3704 0044 0532 0130 00' },
  other: { label: 'Other', account: 'Account', placeholder: 'What is needed to pay you' },
}

const describeDetails = (details: PayoutDetails | null, programName: string) => {
  if (!details)
    return `Add your payout details so ${programName} can pay you. If you have already earned commissions, payouts are paused for 48 hours after you save.`
  const savedOn = formatDate(details.updatedAt)
  if (!details.heldUntil) return `Saved on ${savedOn}. Changing these details pauses payouts for 48 hours.`
  return `Saved on ${savedOn}. For your security, no payout is sent to these details before ${formatTime(details.heldUntil)}. If you didn’t make this change, contact ${programName} now.`
}

export const PayoutDetailsCard = () => {
  const { programId, programName } = usePartnership()
  const details = useCall('get /api/portal/programs/{programId}/payout-details', { programId })
  return (
    <DetailsCard
      title="Payout details"
      description={details.data === undefined ? undefined : describeDetails(details.data, programName)}
      query={details}
      facts={({ method, account, holder, note }) => [
        { label: 'Method', value: METHODS[method].label },
        { label: METHODS[method].account, value: <span className="wrap-anywhere">{account}</span> },
        { label: 'Account holder', value: holder },
        ...(note ? [{ label: 'Note', value: <span className="whitespace-pre-line">{note}</span> }] : []),
      ]}
    >
      {(data, onDone) => <PayoutForm details={data} onDone={onDone} />}
    </DetailsCard>
  )
}

const FIELDS = ['method', 'account', 'holder', 'note']

type FormProps = { details: PayoutDetails | null; onDone: (() => void) | null }

const PayoutForm = ({ details, onDone }: FormProps) => {
  const { programId, requireTwoFactor } = usePartnership()
  const change = useChange(
    'put /api/portal/programs/{programId}/payout-details',
    { programId },
    {
      onSuccess: () => {
        toast.done('Payout details saved.')
        onDone?.()
      },
    },
  )
  const [method, setMethod] = useState<Method>(details?.method ?? 'paypal')
  const { account, placeholder } = METHODS[method]
  const submit = (values: FormData) =>
    change.mutate({
      body: {
        method,
        account: formText(values, 'account'),
        holder: formText(values, 'holder'),
        note: formText(values, 'note') || null,
      },
    })
  return (
    <DetailsForm onSubmit={submit} change={change} fields={FIELDS} save="Save payout details" onCancel={onDone}>
      <MethodField value={method} onChange={setMethod} error={fieldError(change.error, 'method')} />
      <Field label={account} error={fieldError(change.error, 'account')}>
        {(wiring) => (
          <Input
            {...wiring}
            name="account"
            maxLength={200}
            defaultValue={details?.account}
            placeholder={placeholder}
            autoComplete="off"
            required
          />
        )}
      </Field>
      <Field label="Account holder" error={fieldError(change.error, 'holder')}>
        {(wiring) => (
          <Input
            {...wiring}
            name="holder"
            maxLength={120}
            defaultValue={details?.holder}
            autoComplete="name"
            required
          />
        )}
      </Field>
      <Field
        label="Note"
        optional
        hint="The program sees this note when it pays you."
        error={fieldError(change.error, 'note')}
      >
        {(wiring) => <Textarea {...wiring} name="note" maxLength={500} defaultValue={details?.note ?? ''} rows={2} />}
      </Field>
      <TwoFactorNote required={requireTwoFactor} what="Changing your payout details needs" />
    </DetailsForm>
  )
}

type MethodProps = { value: Method; onChange: (method: Method) => void; error: ReturnType<typeof fieldError> }

const MethodField = ({ value, onChange, error }: MethodProps) => (
  <Field label="Method" error={error}>
    {(wiring) => (
      <Select {...wiring} value={value} onChange={(event) => onChange(event.target.value as Method)}>
        {Object.entries(METHODS).map(([method, { label }]) => (
          <option key={method} value={method}>
            {label}
          </option>
        ))}
      </Select>
    )}
  </Field>
)
