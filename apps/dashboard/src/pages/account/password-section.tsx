import { useRef, useState } from 'react'
import { useChangePassword } from '~/api/accounts/account.ts'
import { ApiError } from '~/api/client.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { FieldRow } from '~/components/controls/field-row.tsx'
import { Form, FormError, fieldError } from '~/components/controls/form.tsx'
import { NewPasswordField } from '~/components/controls/new-password-field.tsx'
import { Switch } from '~/components/controls/switch.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { Section } from '../settings/section.tsx'

const FIELDS = ['currentPassword', 'newPassword']

/** A wrong password shows under its field, even though the service names no field. */
const currentError = (error: unknown) =>
  fieldError(error, 'currentPassword') ??
  (error instanceof ApiError && error.code === 'invalid_credentials' ? error.message : null)

export const PasswordSection = () => {
  const change = useChangePassword()
  const [revokeOtherSessions, setRevoke] = useState(true)
  const form = useRef<HTMLDivElement>(null)
  const submit = (values: FormData) =>
    change.mutate(
      {
        currentPassword: String(values.get('currentPassword')),
        newPassword: String(values.get('newPassword')),
        revokeOtherSessions,
      },
      {
        onSuccess: () => {
          form.current?.querySelector('form')?.reset()
          toast.done(revokeOtherSessions ? 'Password changed. All other sessions have ended.' : 'Password changed.')
        },
      },
    )
  return (
    <Section title="Password" description="Use at least 8 characters. A phrase is safer than a single word.">
      <div ref={form}>
        <Form onSubmit={submit} className="flex flex-col gap-4">
          <FieldRow>
            <Field label="Current password" error={currentError(change.error)}>
              {(wiring) => (
                <Input {...wiring} name="currentPassword" type="password" autoComplete="current-password" required />
              )}
            </Field>
            <NewPasswordField label="New password" name="newPassword" error={fieldError(change.error, 'newPassword')} />
          </FieldRow>
          <Switch
            label="End all other sessions"
            hint="You stay signed in here."
            checked={revokeOtherSessions}
            onChange={setRevoke}
          />
          {!currentError(change.error) && <FormError error={change.error} fields={FIELDS} />}
          <div className="flex justify-end">
            <Button type="submit" look="primary" busy={change.isPending}>
              Change password
            </Button>
          </div>
        </Form>
      </div>
    </Section>
  )
}
