import type { MerchantDetails } from '@tributary/contract'
import { Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import { useCall, useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card, CardHeader } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input, Textarea } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { Switch } from '~/components/controls/switch.tsx'
import { Unsaved } from '~/components/controls/unsaved.tsx'
import { FactList } from '~/components/facts/fact-list.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { Page } from '~/components/page.tsx'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { EmptyLine, QueryView } from '~/components/states.tsx'
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
        {(data) => <Details details={data} />}
      </QueryView>
    </Page>
  )
}

const Details = ({ details }: { details: MerchantDetails | null }) => {
  const [isEditing, setEditing] = useState(false)
  if (isEditing) return <DetailsForm details={details} onDone={() => setEditing(false)} />
  return <Summary details={details} onEdit={() => setEditing(true)} />
}

type SummaryProps = { details: MerchantDetails | null; onEdit: () => void }

const Summary = ({ details, onEdit }: SummaryProps) => {
  const { may } = useProgram()
  const edit = may('program:update') && (
    <Button onClick={onEdit}>
      {details ? <Pencil aria-hidden /> : <Plus aria-hidden />}
      {details ? 'Edit' : 'Add legal details'}
    </Button>
  )
  return (
    <Card>
      <CardHeader title="Your business" {...(details && { actions: edit })} />
      {details ? (
        <div className="px-5 pt-2 pb-4">
          <FactList facts={factsOf(details)} />
        </div>
      ) : (
        <EmptyLine title="Not entered yet" action={edit}>
          The first payout asks for them too.
        </EmptyLine>
      )}
    </Card>
  )
}

const factsOf = ({ legalName, address, taxId, email, selfBilling }: MerchantDetails) => [
  { label: 'Legal name', value: legalName },
  { label: 'Address', value: <span className="whitespace-pre-line">{address}</span> },
  ...(taxId ? [{ label: 'Tax ID', value: taxId }] : []),
  ...(email ? [{ label: 'Email', value: email }] : []),
  { label: 'Self-billing', value: selfBilling ? 'Statements are self-billing invoices' : 'No' },
]

const FIELDS = ['legalName', 'address', 'taxId', 'email', 'selfBilling']

type FormProps = { details: MerchantDetails | null; onDone: () => void }

const DetailsForm = ({ details, onDone }: FormProps) => {
  const { program } = useProgram()
  const [isTouched, setTouched] = useState(false)
  const change = useChange(
    'put /api/programs/{programId}/legal-details',
    { programId: program.id },
    {
      onSuccess: () => {
        toast.done('Legal details saved.')
        onDone()
      },
    },
  )
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
      <CompanySection details={details} error={change.error} />
      <Section title="Self-billing" description="For businesses that issue invoices on behalf of their partners.">
        <Switch
          label="Statements are self-billing invoices"
          hint="Agree on this with your partners first. Ask your tax advisor whether it applies to you."
          name="selfBilling"
          defaultChecked={details?.selfBilling ?? false}
          onChange={() => setTouched(true)}
        />
      </Section>
      <FormError error={change.error} fields={FIELDS} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="primary" busy={change.isPending}>
          Save legal details
        </Button>
      </div>
      <Unsaved when={isTouched} />
    </Form>
  )
}

type SectionProps = { details: MerchantDetails | null; error: unknown }

const CompanySection = ({ details, error }: SectionProps) => (
  <Section title="Your business" description="Who pays the commissions.">
    <Field label="Legal name" error={fieldError(error, 'legalName')}>
      {(wiring) => (
        <Input
          {...wiring}
          name="legalName"
          maxLength={200}
          defaultValue={details?.legalName}
          autoComplete="organization"
          autoFocus
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
