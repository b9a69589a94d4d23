import { useRename } from '~/api/accounts/account.ts'
import type { SignedInUser } from '~/api/accounts/session.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { Section } from '../settings/section.tsx'
import { EmailAddress } from './email-address.tsx'

export const ProfileSection = ({ user }: { user: SignedInUser }) => {
  const rename = useRename()
  const submit = (values: FormData) =>
    rename.mutate({ name: formText(values, 'name') }, { onSuccess: () => toast.done('Name saved.') })
  return (
    <Section title="Profile" description="How other people see you.">
      <Form onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Name" error={fieldError(rename.error, 'name')}>
          {(wiring) => (
            <Input {...wiring} name="name" maxLength={120} defaultValue={user.name} autoComplete="name" required />
          )}
        </Field>
        <FormError error={rename.error} fields={['name']} />
        <div className="flex justify-end">
          <Button type="submit" look="primary" busy={rename.isPending}>
            Save name
          </Button>
        </div>
      </Form>
      <EmailAddress email={user.email} />
    </Section>
  )
}
