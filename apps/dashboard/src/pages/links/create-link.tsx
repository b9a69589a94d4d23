import type { ReferralLink } from '@tributary/contract'
import { useCreateLink } from '~/api/links.ts'
import { usePartners } from '~/api/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/button.tsx'
import { Dialog } from '~/components/dialog.tsx'
import { Field, Input, Select } from '~/components/field.tsx'
import { Form, FormError, fieldError, textOf } from '~/components/form.tsx'

type Props = { open: boolean; onOpenChange: (open: boolean) => void; onCreated: (link: ReferralLink) => void }

export const CreateLink = ({ open, onOpenChange, onCreated }: Props) => (
  <Dialog open={open} onOpenChange={onOpenChange} title="New link">
    <LinkForm
      onDone={(link) => {
        onOpenChange(false)
        onCreated(link)
      }}
    />
  </Dialog>
)

const FIELDS = ['partnerId', 'destinationUrl', 'aff']

const LinkForm = ({ onDone }: { onDone: (link: ReferralLink) => void }) => {
  const { program } = useProgram()
  const partners = usePartners(program.id, { pageSize: 200 })
  const create = useCreateLink(program.id)
  const submit = (values: FormData) =>
    create.mutate(
      {
        partnerId: Number(values.get('partnerId')) || null,
        destinationUrl: textOf(values, 'destinationUrl') || null,
        ...(textOf(values, 'aff') && { aff: textOf(values, 'aff') }),
      },
      { onSuccess: onDone },
    )
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <FormError error={create.error} fields={FIELDS} />
      <Field
        label="Partner"
        hint="Without a partner, clicks on the link are refused until you give it one."
        error={fieldError(create.error, 'partnerId')}
      >
        {(wiring) => (
          <Select {...wiring} name="partnerId">
            {partners.data?.data.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            <option value="">No partner yet</option>
          </Select>
        )}
      </Field>
      <Field label="Page it leads to" optional error={fieldError(create.error, 'destinationUrl')}>
        {(wiring) => <Input {...wiring} name="destinationUrl" type="url" placeholder="https://example.com/pricing" />}
      </Field>
      <Field
        label="aff value"
        optional
        hint="The word in the address that names the link. Made up where empty."
        error={fieldError(create.error, 'aff')}
      >
        {(wiring) => <Input {...wiring} name="aff" maxLength={128} placeholder="maya" autoComplete="off" />}
      </Field>
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={create.isPending}>
          Create link
        </Button>
      </div>
    </Form>
  )
}
