import type { ApplicationPage } from '@tributary/contract'
import { useChange } from '~/api/call.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { NewPasswordField } from '~/components/controls/new-password-field.tsx'
import { AgreementField } from './agreement-field.tsx'
import { QuestionFields, questionFields, readApplication } from './question-fields.tsx'

type Props = { application: ApplicationPage; onSent: () => void }

export const ApplicationForm = ({ application, onSent }: Props) => {
  const { programId, questions, agreement } = application
  const apply = useChange('post /api/public/programs/{programId}/apply', { programId })
  const submit = (values: FormData) =>
    apply.mutate(
      {
        body: {
          name: formText(values, 'name'),
          email: formText(values, 'email'),
          password: String(values.get('password')),
          ...readApplication(application, values),
        },
      },
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
      <QuestionFields questions={questions} error={apply.error} />
      <AgreementField agreement={agreement} />
      <FormError error={apply.error} fields={['name', 'email', 'password', ...questionFields(questions)]} />
      <Button type="submit" look="primary" busy={apply.isPending} className="mt-1 h-9 w-full">
        Submit application
      </Button>
    </Form>
  )
}
