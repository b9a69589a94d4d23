import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useConfirmLink, useRequestLink } from '~/api/accounts/session.ts'
import { ApiError } from '~/api/client.ts'
import { Button, buttonClass } from '~/components/controls/button.tsx'
import { Form, FormError } from '~/components/controls/form.tsx'
import { AuthLayout, TEXT_LINK } from './auth-layout.tsx'
import { RequestEmail } from './request-email.tsx'
import { SecondStepScreen } from './second-step-screen.tsx'

/** Requests a sign-in link, or uses the one whose token is in the URL. */
export const SignInLink = () => {
  const { token } = useSearch({ strict: false })
  return token ? <UseLink token={token} /> : <RequestLink />
}

/** A button, because mail scanners open links and would use them up. */
const UseLink = ({ token }: { token: string }) => {
  const navigate = useNavigate()
  const confirm = useConfirmLink()
  const [isSecondStep, setSecondStep] = useState(false)
  const submit = () =>
    confirm.mutate(
      { token },
      { onSuccess: ({ twoFactorRequired }) => (twoFactorRequired ? setSecondStep(true) : void navigate({ to: '/' })) },
    )
  if (isSecondStep) return <SecondStepScreen next={undefined} onBack={() => void navigate({ to: '/sign-in' })} />
  if (confirm.error instanceof ApiError && confirm.error.code === 'not_found') return <Expired />
  return (
    <AuthLayout title="Sign in to Tributary" description="Continue to sign in with the link from your email.">
      <Form onSubmit={submit} className="flex flex-col gap-4">
        <FormError error={confirm.error} />
        <Button type="submit" look="primary" busy={confirm.isPending} className="h-9 w-full" autoFocus>
          Sign in
        </Button>
      </Form>
    </AuthLayout>
  )
}

const RequestLink = () => (
  <RequestEmail
    title="Sign in by email"
    footer={
      <Link to="/sign-in" className={TEXT_LINK}>
        Sign in with your password
      </Link>
    }
    hint="You’ll get an email with a link that signs you in."
    button="Send sign-in link"
    link="a sign-in link"
    expires="10 minutes"
    request={useRequestLink()}
  />
)

const Expired = () => (
  <AuthLayout
    title="This link has expired or is incomplete"
    description="Sign-in links work once, for 10 minutes. Request a new one."
  >
    <Link to="/sign-in/link" search={{}} className={buttonClass({ look: 'secondary' }, 'w-full')}>
      Request a new link
    </Link>
  </AuthLayout>
)
