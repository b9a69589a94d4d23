import type { PartnerLegalDetails } from '@tributary/contract'
import { useCall, useChange } from '~/api/call.ts'
import { Field, Input, Textarea } from '~/components/controls/field.tsx'
import { fieldError, formText } from '~/components/controls/form.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { usePartnership } from '../portal-context.ts'
import { DetailsCard, DetailsForm } from './details-card.tsx'

export const LegalDetailsCard = () => {
  const { programId } = usePartnership()
  const details = useCall('get /api/portal/programs/{programId}/legal-details', { programId })
  return (
    <DetailsCard
      title="Legal details"
      description="Shown on statements. The program can reissue earlier ones."
      query={details}
      facts={({ name, company, address, taxId }) => [
        { label: 'Full name', value: name },
        ...(company ? [{ label: 'Company', value: company }] : []),
        { label: 'Address', value: <span className="whitespace-pre-line">{address}</span> },
        ...(taxId ? [{ label: 'Tax ID', value: taxId }] : []),
      ]}
    >
      {(data, onDone) => <LegalForm details={data} onDone={onDone} />}
    </DetailsCard>
  )
}

const FIELDS = ['name', 'company', 'address', 'taxId']

type FormProps = { details: PartnerLegalDetails | null; onDone: (() => void) | null }

const LegalForm = ({ details, onDone }: FormProps) => {
  const { programId } = usePartnership()
  const change = useChange(
    'put /api/portal/programs/{programId}/legal-details',
    { programId },
    {
      onSuccess: () => {
        toast.done('Legal details saved.')
        onDone?.()
      },
    },
  )
  const submit = (values: FormData) =>
    change.mutate({
      body: {
        name: formText(values, 'name'),
        company: formText(values, 'company') || null,
        address: formText(values, 'address'),
        taxId: formText(values, 'taxId') || null,
      },
    })
  return (
    <DetailsForm onSubmit={submit} change={change} fields={FIELDS} save="Save legal details" onCancel={onDone}>
      <Field label="Full name" error={fieldError(change.error, 'name')}>
        {(wiring) => (
          <Input {...wiring} name="name" maxLength={200} defaultValue={details?.name} autoComplete="name" required />
        )}
      </Field>
      <Field label="Company" optional error={fieldError(change.error, 'company')}>
        {(wiring) => (
          <Input
            {...wiring}
            name="company"
            maxLength={200}
            defaultValue={details?.company ?? ''}
            autoComplete="organization"
          />
        )}
      </Field>
      <Field label="Address" error={fieldError(change.error, 'address')}>
        {(wiring) => (
          <Textarea
            {...wiring}
            name="address"
            maxLength={500}
            defaultValue={details?.address}
            autoComplete="street-address"
            rows={3}
            required
          />
        )}
      </Field>
      <Field label="Tax ID" optional hint="VAT or tax number." error={fieldError(change.error, 'taxId')}>
        {(wiring) => (
          <Input {...wiring} name="taxId" maxLength={60} defaultValue={details?.taxId ?? ''} autoComplete="off" />
        )}
      </Field>
    </DetailsForm>
  )
}
