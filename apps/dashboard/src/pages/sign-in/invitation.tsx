import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ApiError } from '~/api/client.ts'
import { type OpenInvitation, useAcceptInvitation, useInvitation } from '~/api/invitations.ts'
import { useSession } from '~/api/session.ts'
import { Button, buttonClass } from '~/components/button.tsx'
import { FormError } from '~/components/form.tsx'
import { formatDate } from '~/components/format.ts'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { ErrorState } from '~/components/states.tsx'
import { Entrance, TEXT_LINK } from './entrance.tsx'
import { SignUpForm } from './sign-up-form.tsx'

/** The page behind an invitation link: for who has an account, and for who makes one now. */
export const Invitation = () => {
  const { invitationId = '' } = useParams({ strict: false })
  const invitation = useInvitation(invitationId)
  const session = useSession()
  if (invitation.isPending || session.isPending)
    return (
      <Entrance title="Invitation">
        <Loading className="flex flex-col gap-3">
          <Skeleton />
          <Skeleton className="h-9 w-full" />
        </Loading>
      </Entrance>
    )
  if (invitation.error instanceof ApiError && invitation.error.code === 'not_found') return <Over />
  if (!invitation.data)
    return (
      <Entrance title="Invitation">
        <ErrorState error={invitation.error} onRetry={() => void invitation.refetch()} />
      </Entrance>
    )
  return <Open invitation={invitation.data} signedInAs={session.data?.user.email ?? null} />
}

const Over = () => (
  <Entrance
    title="This invitation is over"
    description="It does not exist, was used, was withdrawn, or has expired. Ask whoever sent it for a new one."
  >
    <Link to="/" className={buttonClass({ look: 'secondary' }, 'w-full')}>
      Go to the dashboard
    </Link>
  </Entrance>
)

const Open = ({ invitation, signedInAs }: { invitation: OpenInvitation; signedInAs: string | null }) => {
  const { id, email, role, workspaceName, expiresAt } = invitation
  const navigate = useNavigate()
  const accept = useAcceptInvitation()
  const join = () => accept.mutate(id, { onSuccess: () => void navigate({ to: '/' }) })
  const isMine = signedInAs?.toLowerCase() === email.toLowerCase()
  return (
    <Entrance
      title={`Join ${workspaceName}`}
      description={`${email} is invited as ${role}, until ${formatDate(expiresAt)}.`}
      footer={
        !signedInAs && (
          <>
            Have an account with this address?{' '}
            <Link to="/sign-in" search={{ next: `/invite/${id}` }} className={TEXT_LINK}>
              Sign in
            </Link>
          </>
        )
      }
    >
      <div className="flex flex-col gap-4">
        <FormError error={accept.error} />
        {!signedInAs && <SignUpForm invitation={invitation} submit="Create account and join" onDone={join} />}
        {signedInAs && !isMine && (
          <p className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn-ink">
            You are signed in as {signedInAs}. Sign out and open this link again as {email}.
          </p>
        )}
        {isMine && (
          <Button look="primary" busy={accept.isPending} onClick={join} className="h-9 w-full">
            Accept and join
          </Button>
        )}
      </div>
    </Entrance>
  )
}
