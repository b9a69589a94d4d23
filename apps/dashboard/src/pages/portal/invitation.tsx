import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ApiError } from '~/api/client.ts'
import { type PartnerInvitation, useAcceptPartnerInvitation, usePartnerInvitation } from '~/api/partner-entrance.ts'
import { useSession } from '~/api/session.ts'
import { Button, buttonClass } from '~/components/button.tsx'
import { FormError } from '~/components/form.tsx'
import { formatDate } from '~/components/format.ts'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { ErrorState } from '~/components/states.tsx'
import { Entrance, TEXT_LINK } from '../sign-in/entrance.tsx'
import { PartnerSignUp } from './partner-sign-up.tsx'
import { SignOutFirst } from './sign-out-first.tsx'

/** The page behind the link that a merchant hands to a partner. */
export const PartnerInvitationPage = () => {
  const { invitationId = '' } = useParams({ strict: false })
  const invitation = usePartnerInvitation(invitationId)
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
  const signedInAs = session.data?.user.email ?? null
  return <Open id={invitationId} invitation={invitation.data} signedInAs={signedInAs} />
}

const Over = () => (
  <Entrance
    title="This invitation is over"
    description="It was used, was replaced by a newer one, or has expired. If you have used it, sign in; else ask whoever sent it for a new one."
  >
    <Link to="/portal" className={buttonClass({}, 'w-full')}>
      Go to the partner portal
    </Link>
  </Entrance>
)

type OpenProps = { id: string; invitation: PartnerInvitation; signedInAs: string | null }

const Open = ({ id, invitation, signedInAs }: OpenProps) => {
  const { email, programName, partnerName, expiresAt } = invitation
  const isMine = signedInAs?.toLowerCase() === email.toLowerCase()
  const here = `/portal/invite/${id}`
  return (
    <Entrance
      title={`Join ${programName}`}
      description={`${partnerName}, you are invited as a partner, with the address ${email}, until ${formatDate(expiresAt)}.`}
      footer={
        !signedInAs && (
          <>
            Have an account with this address?{' '}
            <Link to="/sign-in" search={{ next: here }} className={TEXT_LINK}>
              Sign in
            </Link>
          </>
        )
      }
    >
      {!signedInAs && <PartnerSignUp invitationId={id} email={email} name={partnerName} />}
      {signedInAs && !isMine && <SignOutFirst signedInAs={signedInAs} wanted={email} next={here} />}
      {isMine && <Accept id={id} />}
    </Entrance>
  )
}

const Accept = ({ id }: { id: string }) => {
  const accept = useAcceptPartnerInvitation(id)
  const navigate = useNavigate()
  const join = () =>
    accept.mutate(undefined, {
      onSuccess: ({ programId }) =>
        void navigate({ to: '/portal/$programId', params: { programId: String(programId) } }),
    })
  return (
    <div className="flex flex-col gap-4">
      <FormError error={accept.error} />
      <Button look="primary" busy={accept.isPending} onClick={join} className="h-9 w-full">
        Accept and open the portal
      </Button>
    </div>
  )
}
