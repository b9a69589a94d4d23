import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useResetPassword } from '~/api/accounts/password-reset.ts'
import { ApiError } from '~/api/client.ts'
import { Button, buttonClass } from '~/components/controls/button.tsx'
import { Form, FormError, fieldError } from '~/components/controls/form.tsx'
import { NewPasswordField } from '~/components/controls/new-password-field.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { AuthLayout } from './auth-layout.tsx'

/** Opened from the link in the reset email. */
export const ResetPassword = () => {
  const { token } = useSearch({ strict: false })
  const navigate = useNavigate()
  const reset = useResetPassword()
  if (!token || (reset.error instanceof ApiError && reset.error.code === 'not_found')) return <Expired />
  const submit = (values: FormData) =>
    reset.mutate(
      { token, newPassword: String(values.get('newPassword')) },
      {
        onSuccess: () => {
          toast.done('Password changed. You are signed out everywhere.')
          void navigate({ to: '/sign-in' })
        },
      },
    )
  return (
    <AuthLayout title="Choose a new password" description="This signs you out everywhere.">
      <Form onSubmit={submit} className="flex flex-col gap-4">
        <NewPasswordField
          label="New password"
          name="newPassword"
          hint="At least 8 characters."
          error={fieldError(reset.error, 'newPassword')}
        />
        <FormError error={reset.error} fields={['newPassword']} />
        <Button type="submit" look="primary" busy={reset.isPending} className="mt-1 h-9 w-full">
          Change password
        </Button>
      </Form>
    </AuthLayout>
  )
}

const Expired = () => (
  <AuthLayout
    title="This link has expired or is incomplete"
    description="Reset links work once, for one hour. Request a new one."
  >
    <Link to="/forgot-password" className={buttonClass({ look: 'secondary' }, 'w-full')}>
      Request a new link
    </Link>
  </AuthLayout>
)
