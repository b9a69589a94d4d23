import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { instance } from '~/instance.ts'
import { Entrance, TEXT_LINK } from './entrance.tsx'
import { SignUpForm } from './sign-up-form.tsx'

const DESCRIPTIONS = {
  first: 'The first account of this instance needs no invitation.',
  demo: 'The first account of your own needs no invitation.',
  open: 'It takes a minute: an account, a workspace, a program.',
  invited: 'Sign-up is by invitation here. With an invitation link at hand, open that link instead.',
}

export const SignUp = () => {
  const navigate = useNavigate()
  const { setup } = useSearch({ strict: false })
  return (
    <Entrance
      title={['first', 'demo'].includes(instance.signUp) ? 'Create the first account' : 'Create an account'}
      description={DESCRIPTIONS[instance.signUp]}
      footer={
        <>
          Have an account?{' '}
          <Link to="/sign-in" className={TEXT_LINK}>
            Sign in
          </Link>
        </>
      }
    >
      <SignUpForm setupToken={setup} submit="Create account" onDone={() => void navigate({ to: '/' })} />
    </Entrance>
  )
}
