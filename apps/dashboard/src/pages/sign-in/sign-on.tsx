import { useSearch } from '@tanstack/react-router'
import { useStartSignOn } from '~/api/accounts/session.ts'
import { Button } from '~/components/controls/button.tsx'
import { FormError } from '~/components/controls/form.tsx'
import { instance } from '~/instance.ts'

/** For members of a workspace. Nothing if the instance has no identity provider. */
export const SignOnButton = () => {
  const { next } = useSearch({ strict: false })
  const start = useStartSignOn()
  if (!instance.signOn) return null
  return (
    <>
      <Button
        busy={start.isPending || start.isSuccess}
        onClick={() => start.mutate(next ? { next } : {})}
        className="h-9 w-full"
      >
        Continue with {instance.signOn}
      </Button>
      <FormError error={start.error} />
    </>
  )
}

const PROBLEMS: Record<string, string> = {
  not_invited: 'No member or open invitation has your email address. Ask a member of your workspace to invite you.',
  domain_not_allowed: 'Addresses of your domain can’t sign in this way. Use another account, or your password.',
  email_not_verified: 'Your identity provider has not verified your email address. Verify it there, then try again.',
  access_denied: 'You canceled the sign-in. Try again, or use your password.',
}

/** Why the return from the identity provider did not sign in. */
export const SignOnProblem = () => {
  const { problem } = useSearch({ strict: false })
  if (!problem) return null
  return (
    <p role="alert" className="mb-4 text-pretty rounded-md bg-bad-soft px-3 py-2 text-bad-ink text-sm">
      {PROBLEMS[problem] ?? 'The sign-in did not work or took too long. Try again.'}
    </p>
  )
}
