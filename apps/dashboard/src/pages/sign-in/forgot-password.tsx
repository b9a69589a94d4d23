import { Link } from '@tanstack/react-router'
import { useRequestReset } from '~/api/accounts/password-reset.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, textOf } from '~/components/controls/form.tsx'
import { Entrance, TEXT_LINK } from './entrance.tsx'

export const ForgotPassword = () => {
  const request = useRequestReset()
  return (
    <Entrance title="Forgot your password?" footer={<BackToSignIn />}>
      {request.isSuccess ? (
        <p role="status" className="wrap-anywhere text-pretty text-sm">
          If there is an account with {request.variables.email}, a mail with a link is on its way. It works for an hour.
        </p>
      ) : (
        <Form onSubmit={(values) => request.mutate({ email: textOf(values, 'email') })} className="flex flex-col gap-4">
          <Field
            label="E-mail"
            hint="A link to choose a new one is sent to this address."
            error={fieldError(request.error, 'email')}
          >
            {(wiring) => <Input {...wiring} name="email" type="email" autoComplete="email" required autoFocus />}
          </Field>
          <FormError error={request.error} fields={['email']} />
          <Button type="submit" look="primary" busy={request.isPending} className="mt-1 h-9 w-full">
            Send the link
          </Button>
        </Form>
      )}
    </Entrance>
  )
}

const BackToSignIn = () => (
  <>
    Remembered it?{' '}
    <Link to="/sign-in" className={TEXT_LINK}>
      Sign in
    </Link>
  </>
)
