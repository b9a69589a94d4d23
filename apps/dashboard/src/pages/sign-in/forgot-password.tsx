import { Link } from '@tanstack/react-router'
import { useRequestReset } from '~/api/accounts/password-reset.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { AuthLayout, TEXT_LINK } from './auth-layout.tsx'

export const ForgotPassword = () => {
  const request = useRequestReset()
  return (
    <AuthLayout title="Reset your password" footer={<BackToSignIn />}>
      {request.isSuccess ? (
        <p role="status" className="wrap-anywhere text-pretty text-sm">
          If an account with {request.variables.email} exists, a reset link is on its way. The link expires in 1 hour.
        </p>
      ) : (
        <Form
          onSubmit={(values) => request.mutate({ email: formText(values, 'email') })}
          className="flex flex-col gap-4"
        >
          <Field
            label="Email"
            hint="You’ll get an email with a link to reset your password."
            error={fieldError(request.error, 'email')}
          >
            {(wiring) => <Input {...wiring} name="email" type="email" autoComplete="email" required autoFocus />}
          </Field>
          <FormError error={request.error} fields={['email']} />
          <Button type="submit" look="primary" busy={request.isPending} className="mt-1 h-9 w-full">
            Send reset link
          </Button>
        </Form>
      )}
    </AuthLayout>
  )
}

const BackToSignIn = () => (
  <>
    Remember your password?{' '}
    <Link to="/sign-in" className={TEXT_LINK}>
      Sign in
    </Link>
  </>
)
