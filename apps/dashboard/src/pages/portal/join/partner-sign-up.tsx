import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Agreement, partnerSignUpRequest } from '@tributary/contract'
import type { z } from 'zod'
import { useResetSession } from '~/api/accounts/session.ts'
import { api } from '~/api/client.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { NewPasswordField } from '~/components/controls/new-password-field.tsx'
import { AgreementField } from './agreement-field.tsx'

type Props = { invitationId: string; email: string; name: string; agreement: Agreement | null }

/** The invitation already contains the email address. */
export const PartnerSignUp = ({ invitationId, email, name, agreement }: Props) => {
  const signUp = useMutation({
    mutationFn: (form: z.input<typeof partnerSignUpRequest>) =>
      api.post(`/api/public/partner-invitations/${invitationId}/sign-up`, form),
    onSuccess: useResetSession(),
  })
  const navigate = useNavigate()
  const create = (values: FormData) =>
    signUp.mutate(
      {
        name: formText(values, 'name'),
        password: String(values.get('password')),
        agreementVersion: agreement?.version,
      },
      { onSuccess: () => void navigate({ to: '/portal' }) },
    )
  return (
    <Form onSubmit={create} className="flex flex-col gap-4">
      <Field label="Name" error={fieldError(signUp.error, 'name')}>
        {(wiring) => (
          <Input {...wiring} name="name" autoComplete="name" maxLength={120} defaultValue={name} required autoFocus />
        )}
      </Field>
      <Field label="Email">
        {(wiring) => <Input {...wiring} type="email" autoComplete="username" value={email} readOnly />}
      </Field>
      <NewPasswordField hint="At least 8 characters." error={fieldError(signUp.error, 'password')} />
      <AgreementField agreement={agreement} />
      <FormError error={signUp.error} fields={['name', 'password']} />
      <Button type="submit" look="primary" busy={signUp.isPending} className="mt-1 h-9 w-full">
        Create account
      </Button>
    </Form>
  )
}
