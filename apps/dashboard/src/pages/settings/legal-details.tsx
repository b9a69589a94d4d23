import type { MerchantDetails } from '@tributary/contract'
import { useState } from 'react'
import { useCall, useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input, Textarea } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { Switch } from '~/components/controls/switch.tsx'
import { Unsaved } from '~/components/controls/unsaved.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { Page } from '~/components/page.tsx'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { Section } from './section.tsx'

export const LegalDetails = () => {
  const { program, may } = useProgram()
  const details = useCall('get /api/programs/{programId}/legal-details', { programId: program.id })
  return (
    <Page
      title="Legal details"
      description={
        may('program:update')
          ? 'Shown on the statements of future payouts. Existing statements change only if you reissue them.'
          : 'Your role can view these settings but not change them.'
      }
    >
      <QueryView
        query={details}
        loading={
          <Card>
            <SkeletonRows rows={3} />
          </Card>
        }
      >
        {(data) => <DetailsForm key={data?.updatedAt} details={data} />}
      </QueryView>
    </Page>
  )
}

const FIELDS = ['legalName', 'address', 'taxId', 'email', 'selfBilling']

const DetailsForm = ({ details }: { details: MerchantDetails | null }) => {
  const { program, may } = useProgram()
  const [isTouched, setTouched] = useState(false)
  const change = useChange(
    'put /api/programs/{programId}/legal-details',
    { programId: program.id },
    {
      onSuccess: () => {
        setTouched(false)
        toast.done('Legal details saved.')
      },
    },
  )
  const mayChange = may('program:update')
  const submit = (values: FormData) =>
    change.mutate({
      body: {
        legalName: formText(values, 'legalName'),
        address: formText(values, 'address'),
        taxId: formText(values, 'taxId') || null,
        email: formText(values, 'email') || null,
        selfBilling: values.get('selfBilling') === 'on',
      },
    })
  return (
    <Form onSubmit={submit} onChange={() => setTouched(true)} className="flex flex-col gap-5">
      <CompanySection details={details} error={change.error} disabled={!mayChange} />
      <Section
        title="Self-billing"
        description="For businesses that issue invoices on behalf of their partners."
        disabled={!mayChange}
      >
        <Switch
          label="Statements are self-billing invoices"
          hint="Agree on this with your partners first. Ask your tax advisor whether it applies to you."
          name="selfBilling"
          defaultChecked={details?.selfBilling ?? false}
          disabled={!mayChange}
          onChange={() => setTouched(true)}
        />
      </Section>
      <FormError error={change.error} fields={FIELDS} />
      {mayChange && (
        <div className="flex justify-end">
          <Button type="submit" look="primary" busy={change.isPending}>
            Save legal details
          </Button>
        </div>
      )}
      <Unsaved when={isTouched} />
    </Form>
  )
}

type SectionProps = { details: MerchantDetails | null; error: unknown; disabled: boolean }

const CompanySection = ({ details, error, disabled }: SectionProps) => (
  <Section title="Your business" description="Who pays the commissions." disabled={disabled}>
    <Field label="Legal name" error={fieldError(error, 'legalName')}>
      {(wiring) => (
        <Input
          {...wiring}
          name="legalName"
          maxLength={200}
          defaultValue={details?.legalName}
          autoComplete="organization"
          required
        />
      )}
    </Field>
    <Field label="Address" error={fieldError(error, 'address')}>
      {(wiring) => (
        <Textarea {...wiring} name="address" maxLength={500} defaultValue={details?.address} rows={4} required />
      )}
    </Field>
    <Field label="Tax ID" optional hint="VAT or tax number." error={fieldError(error, 'taxId')}>
      {(wiring) => (
        <Input {...wiring} name="taxId" maxLength={60} defaultValue={details?.taxId ?? ''} autoComplete="off" />
      )}
    </Field>
    <Field label="Email" optional hint="For questions about statements." error={fieldError(error, 'email')}>
      {(wiring) => <Input {...wiring} name="email" type="email" maxLength={254} defaultValue={details?.email ?? ''} />}
    </Field>
  </Section>
)
