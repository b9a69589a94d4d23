import { useNavigate } from '@tanstack/react-router'
import { useSignOut } from '~/api/accounts/session.ts'
import { Button } from '~/components/controls/button.tsx'
import { toast } from '~/components/overlays/toast.tsx'

type Props = { signedInAs: string; invitedEmail: string; next: string }

/** The invitation is for a different user than the one signed in. */
export const SignOutFirst = ({ signedInAs, invitedEmail, next }: Props) => {
  const { mutate, isPending } = useSignOut()
  const navigate = useNavigate()
  const signOut = () =>
    mutate(undefined, { onSuccess: () => void navigate({ href: next, reloadDocument: true }), onError: toast.failed })
  return (
    <div className="flex flex-col gap-4">
      <p className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn-ink">
        You are signed in as {signedInAs}, but this invitation is for {invitedEmail}.
      </p>
      <Button busy={isPending} onClick={signOut} className="h-9 w-full">
        Sign out and continue as {invitedEmail}
      </Button>
    </div>
  )
}
