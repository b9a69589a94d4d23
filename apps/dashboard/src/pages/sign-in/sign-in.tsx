import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useSignIn } from '~/api/accounts/session.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, textOf } from '~/components/controls/form.tsx'
import { instance } from '~/instance.ts'
import { Entrance, TEXT_LINK } from './entrance.tsx'

export const SignIn = () => {
  const { next } = useSearch({ strict: false })
  const navigate = useNavigate()
  const signIn = useSignIn()
  const submit = (values: FormData) =>
    signIn.mutate(
      { email: textOf(values, 'email'), password: String(values.get('password')) },
      { onSuccess: () => void navigate({ href: next ?? '/' }) },
    )
  return (
    <Entrance title="Sign in" footer={<OtherWay />}>
      <Form onSubmit={submit} className="flex flex-col gap-4">
        <Field label="E-mail" error={fieldError(signIn.error, 'email')}>
          {(wiring) => <Input {...wiring} name="email" type="email" autoComplete="email" required autoFocus />}
        </Field>
        <Field label="Password">
          {(wiring) => <Input {...wiring} name="password" type="password" autoComplete="current-password" required />}
        </Field>
        {instance.hasMail && (
          <Link to="/forgot-password" className={`${TEXT_LINK} -mt-1 self-start text-sm`}>
            Forgot your password?
          </Link>
        )}
        <FormError error={signIn.error} fields={['email']} />
        <Button type="submit" look="primary" busy={signIn.isPending} className="mt-1 h-9 w-full">
          Sign in
        </Button>
      </Form>
    </Entrance>
  )
}

const BEFORE = {
  first: 'Nobody has an account here yet.',
  demo: 'The sign-in of the demo was printed where the service was started.',
  open: 'No account yet?',
}

const OtherWay = () => {
  if (instance.signUp === 'invited') return 'New here? Ask a member of your workspace for an invitation link.'
  return (
    <>
      {BEFORE[instance.signUp]}{' '}
      <Link to="/sign-up" className={TEXT_LINK}>
        Create {instance.signUp === 'open' ? 'an account' : 'your first account'}
      </Link>
    </>
  )
}
