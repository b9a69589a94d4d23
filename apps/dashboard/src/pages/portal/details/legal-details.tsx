import type { PartnerLegalDetails } from '@tributary/contract'
import { useLegalDetails, useSetLegalDetails } from '~/api/portal.ts'
import { Card, CardHeader } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input, Textarea } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { usePartnership } from './portal-context.ts'

export const LegalDetailsCard = () => {
  const { programId } = usePartnership()
  const details = useLegalDetails(programId)
  return (
    <Card>
      <CardHeader title="Legal details" description="Printed on the statements of your next payouts." />
      <div className="px-5 pt-4 pb-5">
        <QueryView
          query={details}
          loading={
            <Loading className="flex flex-col gap-3">
              <Skeleton className="h-8 w-full" />
              <Skeleton className="h-8 w-full" />
            </Loading>
          }
        >
          {(data) => <LegalForm key={data?.updatedAt} details={data} />}
        </QueryView>
      </div>
    </Card>
  )
}

const FIELDS = ['name', 'company', 'address', 'taxId']

const LegalForm = ({ details }: { details: PartnerLegalDetails | null }) => {
  const { programId } = usePartnership()
  const change = useSetLegalDetails(programId)
  const submit = (values: FormData) =>
    change.mutate(
      {
        name: formText(values, 'name'),
        company: formText(values, 'company') || null,
        address: formText(values, 'address'),
        taxId: formText(values, 'taxId') || null,
      },
      { onSuccess: () => toast.done('Legal details saved.') },
    )
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
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
      <FormError error={change.error} fields={FIELDS} />
      <Button type="submit" look="primary" busy={change.isPending} className="self-start">
        Save legal details
      </Button>
    </Form>
  )
}
