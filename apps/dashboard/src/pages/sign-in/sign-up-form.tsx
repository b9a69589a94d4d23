import { useSignUp } from '~/api/accounts/session.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { NewPasswordField } from '~/components/controls/new-password-field.tsx'

const FIELDS = ['name', 'email', 'password']

type Props = {
  invitation?: { id: string; email: string }
  /** From the setup URL that the service prints on first start. */
  setupToken?: string | undefined
  submit: string
  onDone: () => void
}

export const SignUpForm = ({ invitation, setupToken, submit, onDone }: Props) => {
  const signUp = useSignUp()
  const create = (values: FormData) =>
    signUp.mutate(
      {
        name: formText(values, 'name'),
        email: invitation?.email ?? formText(values, 'email'),
        password: String(values.get('password')),
        ...(invitation && { invitationId: invitation.id }),
        ...(setupToken && { setupToken }),
      },
      { onSuccess: onDone },
    )
  return (
    <Form onSubmit={create} className="flex flex-col gap-4">
      <Field label="Name" error={fieldError(signUp.error, 'name')}>
        {(wiring) => <Input {...wiring} name="name" autoComplete="name" maxLength={120} required autoFocus />}
      </Field>
      <Field label="Email" error={fieldError(signUp.error, 'email')}>
        {(wiring) => (
          <Input
            {...wiring}
            name="email"
            type="email"
            autoComplete="email"
            required
            {...(invitation && { value: invitation.email, readOnly: true })}
          />
        )}
      </Field>
      <NewPasswordField hint="At least 8 characters." error={fieldError(signUp.error, 'password')} />
      <FormError error={signUp.error} fields={FIELDS} />
      <Button type="submit" look="primary" busy={signUp.isPending} className="mt-1 h-9 w-full">
        {submit}
      </Button>
    </Form>
  )
}
