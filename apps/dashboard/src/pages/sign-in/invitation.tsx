import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { OpenInvitation } from '@tributary/contract'
import { useCall, useChange } from '~/api/call.ts'
import { Button, buttonClass } from '~/components/controls/button.tsx'
import { FormError } from '~/components/controls/form.tsx'
import { formatDate } from '~/components/format/format.ts'
import { AuthLayout } from './auth-layout.tsx'
import { InvitationScreen } from './invitation-screen.tsx'
import { SignUpForm } from './sign-up-form.tsx'

/** An invitation to a workspace. */
export const Invitation = () => {
  const { invitationId = '' } = useParams({ strict: false })
  const query = useCall('get /api/invitations/{invitationId}', { invitationId })
  return (
    <InvitationScreen query={query} path={`/invite/${invitationId}`} expired={<Expired />}>
      {(invitation) => ({
        title: `Join ${invitation.workspaceName}`,
        description: `${invitation.email} is invited as ${invitation.role}. The invitation expires on ${formatDate(invitation.expiresAt)}.`,
        signUp: <Join invitation={invitation} isNew />,
        accept: <Join invitation={invitation} />,
      })}
    </InvitationScreen>
  )
}

const Expired = () => (
  <AuthLayout
    title="This invitation is no longer valid"
    description="It was used, withdrawn or has expired. Ask the sender for a new one."
  >
    <Link to="/" className={buttonClass({ look: 'secondary' }, 'w-full')}>
      Go to dashboard
    </Link>
  </AuthLayout>
)

const Join = ({ invitation, isNew }: { invitation: OpenInvitation; isNew?: boolean }) => {
  const navigate = useNavigate()
  const accept = useChange('post /api/invitations/{invitationId}/accept', { invitationId: invitation.id })
  const join = () => accept.mutate({}, { onSuccess: () => void navigate({ to: '/' }) })
  return (
    <div className="flex flex-col gap-4">
      <FormError error={accept.error} />
      {isNew ? (
        <SignUpForm invitation={invitation} submit="Create account and join" onDone={join} />
      ) : (
        <Button look="primary" busy={accept.isPending} onClick={join} className="h-9 w-full">
          Accept invitation
        </Button>
      )}
    </div>
  )
}
