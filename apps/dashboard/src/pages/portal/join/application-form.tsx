import { useApply } from '~/api/partner-sign-up.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { NewPasswordField } from '~/components/controls/new-password-field.tsx'

const FIELDS = ['name', 'email', 'password']

export const ApplicationForm = ({ programId, onSent }: { programId: number; onSent: () => void }) => {
  const apply = useApply(programId)
  const submit = (values: FormData) =>
    apply.mutate(
      { name: formText(values, 'name'), email: formText(values, 'email'), password: String(values.get('password')) },
      { onSuccess: onSent },
    )
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Name" error={fieldError(apply.error, 'name')}>
        {(wiring) => <Input {...wiring} name="name" autoComplete="name" maxLength={120} required />}
      </Field>
      <Field label="Email" error={fieldError(apply.error, 'email')}>
        {(wiring) => <Input {...wiring} name="email" type="email" autoComplete="email" required />}
      </Field>
      <NewPasswordField hint="At least 8 characters." error={fieldError(apply.error, 'password')} />
      <FormError error={apply.error} fields={FIELDS} />
      <Button type="submit" look="primary" busy={apply.isPending} className="mt-1 h-9 w-full">
        Submit application
      </Button>
    </Form>
  )
}
