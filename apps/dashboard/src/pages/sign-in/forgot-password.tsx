import { Link } from '@tanstack/react-router'
import { useRequestReset } from '~/api/accounts/password-reset.ts'
import { TEXT_LINK } from './auth-layout.tsx'
import { RequestEmail } from './request-email.tsx'

export const ForgotPassword = () => (
  <RequestEmail
    title="Reset your password"
    footer={<BackToSignIn />}
    hint="You’ll get an email with a link to reset your password."
    button="Send reset link"
    link="a reset link"
    expires="1 hour"
    request={useRequestReset()}
  />
)

const BackToSignIn = () => (
  <>
    Remember your password?{' '}
    <Link to="/sign-in" className={TEXT_LINK}>
      Sign in
    </Link>
  </>
)
