import { useNavigate } from '@tanstack/react-router'
import { useSignOut } from '~/api/accounts/session.ts'
import { Button } from '~/components/controls/button.tsx'
import { toast } from '~/components/overlays/toast.tsx'

type Props = { signedInAs: string; wanted: string; next: string }

/** Somebody else sits at this browser: whoever the invitation is for gets it after a sign-out. */
export const SignOutFirst = ({ signedInAs, wanted, next }: Props) => {
  const { mutate, isPending } = useSignOut()
  const navigate = useNavigate()
  const leave = () =>
    mutate(undefined, { onSuccess: () => void navigate({ href: next, reloadDocument: true }), onError: toast.failed })
  return (
    <div className="flex flex-col gap-4">
      <p className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn-ink">
        You are signed in as {signedInAs}, and this invitation is for {wanted}.
      </p>
      <Button busy={isPending} onClick={leave} className="h-9 w-full">
        Sign out and continue as {wanted}
      </Button>
    </div>
  )
}
