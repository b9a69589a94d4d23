import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { instance } from '~/instance.ts'
import { AuthLayout, TEXT_LINK } from './auth-layout.tsx'
import { SignUpForm } from './sign-up-form.tsx'

const DESCRIPTIONS = {
  first: 'No one uses this service yet: create its first account, and then your program.',
  demo: 'Your first account doesn’t need an invitation.',
  open: 'Create an account, a workspace and your first program in a minute.',
  invited: 'Sign-up is by invitation only. If you have an invitation link, open it instead.',
}

export const SignUp = () => {
  const navigate = useNavigate()
  const { setup } = useSearch({ strict: false })
  const isEmpty = instance.signUp === 'first'
  // The service is not empty anymore, and only a new page knows.
  const proceed = () => (isEmpty ? location.assign('/') : void navigate({ to: '/' }))
  return (
    <AuthLayout
      title={['first', 'demo'].includes(instance.signUp) ? 'Create the first account' : 'Create an account'}
      description={DESCRIPTIONS[instance.signUp]}
      footer={
        !isEmpty && (
          <>
            Already have an account?{' '}
            <Link to="/sign-in" className={TEXT_LINK}>
              Sign in
            </Link>
          </>
        )
      }
    >
      <SignUpForm setupToken={setup} submit="Create account" onDone={proceed} />
    </AuthLayout>
  )
}
