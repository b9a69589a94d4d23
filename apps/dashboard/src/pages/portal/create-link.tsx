import { type PortalLink, useCreatePortalLink } from '~/api/portal.ts'
import { Button } from '~/components/button.tsx'
import { Dialog } from '~/components/dialog.tsx'
import { Field, Input } from '~/components/field.tsx'
import { Form, FormError, fieldError, textOf } from '~/components/form.tsx'
import { usePartnership } from './portal-context.ts'

type Props = { open: boolean; onOpenChange: (open: boolean) => void; onCreated: (link: PortalLink) => void }

export const CreatePortalLink = ({ open, onOpenChange, onCreated }: Props) => (
  <Dialog open={open} onOpenChange={onOpenChange} title="New link">
    <LinkForm
      onDone={(link) => {
        onOpenChange(false)
        onCreated(link)
      }}
    />
  </Dialog>
)

const FIELDS = ['destinationUrl', 'aff']

const LinkForm = ({ onDone }: { onDone: (link: PortalLink) => void }) => {
  const { programId } = usePartnership()
  const create = useCreatePortalLink(programId)
  const submit = (values: FormData) =>
    create.mutate(
      {
        destinationUrl: textOf(values, 'destinationUrl') || null,
        ...(textOf(values, 'aff') && { aff: textOf(values, 'aff') }),
      },
      { onSuccess: onDone },
    )
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <FormError error={create.error} fields={FIELDS} />
      <Field
        label="Page it leads to"
        hint="The page of the program’s site that your readers should see first."
        error={fieldError(create.error, 'destinationUrl')}
      >
        {(wiring) => (
          <Input
            {...wiring}
            name="destinationUrl"
            type="url"
            placeholder="https://example.com/pricing"
            required
            autoFocus
          />
        )}
      </Field>
      <Field
        label="Name in the link"
        optional
        hint="A word such as your name or the place where you share it. Made up where empty."
        error={fieldError(create.error, 'aff')}
      >
        {(wiring) => <Input {...wiring} name="aff" maxLength={128} placeholder="maya-newsletter" autoComplete="off" />}
      </Field>
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={create.isPending}>
          Make the link
        </Button>
      </div>
    </Form>
  )
}
