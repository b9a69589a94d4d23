import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type SignInAnswer, useSignIn } from '~/api/accounts/session.ts'
import { Button, buttonClass } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { instance } from '~/instance.ts'
import { AuthLayout, TEXT_LINK } from './auth-layout.tsx'
import { SecondStepScreen } from './second-step-screen.tsx'
import { SignOnButton, SignOnProblem } from './sign-on.tsx'

export const SignIn = () => {
  const { next, step } = useSearch({ strict: false })
  const navigate = useNavigate()
  const signIn = useSignIn()
  const [isSecondStep, setSecondStep] = useState(step === 'code')
  const proceed = ({ twoFactorRequired }: SignInAnswer) =>
    twoFactorRequired ? setSecondStep(true) : void navigate({ href: next ?? '/' })
  const submit = (values: FormData) =>
    signIn.mutate(
      { email: formText(values, 'email'), password: String(values.get('password')) },
      { onSuccess: proceed },
    )
  if (isSecondStep) return <SecondStepScreen next={next} onBack={() => setSecondStep(false)} />
  return (
    <AuthLayout title="Sign in" footer={<SignUpHint next={next ?? ''} />}>
      <SignOnProblem />
      <Form onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Email" error={fieldError(signIn.error, 'email')}>
          {(wiring) => <Input {...wiring} name="email" type="email" autoComplete="email" required autoFocus />}
        </Field>
        <Field label="Password">
          {(wiring) => <Input {...wiring} name="password" type="password" autoComplete="current-password" required />}
        </Field>
        <ForgotPassword />
        <FormError error={signIn.error} fields={['email']} />
        <Button type="submit" look="primary" busy={signIn.isPending} className="mt-1 h-9 w-full">
          Sign in
        </Button>
        {instance.hasMail && (
          <Link to="/sign-in/link" search={{}} className={buttonClass({}, 'h-9 w-full')}>
            Email me a sign-in link
          </Link>
        )}
        <SignOnButton />
      </Form>
    </AuthLayout>
  )
}

/** Without a mail server, only the operator can reset a password. */
const ForgotPassword = () => {
  if (instance.hasMail)
    return (
      <Link to="/forgot-password" className={`${TEXT_LINK} -mt-1 self-start text-sm`}>
        Forgot password?
      </Link>
    )
  if (['first', 'demo'].includes(instance.signUp)) return null
  return (
    <p className="-mt-1 text-pretty text-faint text-xs">
      Forgot your password? Ask the person who runs this service to reset it.
    </p>
  )
}

const PROMPTS = {
  first: 'There are no accounts yet.',
  demo: 'The terminal that started the service shows the demo sign-in.',
  open: 'Don’t have an account?',
}

/** Partners get an account by invitation or application, never the first one. */
const SignUpHint = ({ next }: { next: string }) => {
  if (/^\/apply\/\d+$/.test(next))
    return (
      <>
        No account?{' '}
        <a href={next} className={TEXT_LINK}>
          Apply to become a partner
        </a>
      </>
    )
  if (/^\/portal\b/.test(next) && instance.signUp !== 'open')
    return 'No account? Ask the company you partner with for a link to join.'
  if (instance.signUp === 'invited')
    return 'No account? Ask your team, or the company you partner with, for a link to join.'
  return (
    <>
      {PROMPTS[instance.signUp]}{' '}
      <Link to="/sign-up" className={TEXT_LINK}>
        Create {instance.signUp === 'open' ? 'an account' : 'your first account'}
      </Link>
    </>
  )
}
