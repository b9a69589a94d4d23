import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useAcceptPartnerInvitation, usePartnerInvitation } from '~/api/partner-entrance.ts'
import { Button, buttonClass } from '~/components/controls/button.tsx'
import { FormError } from '~/components/controls/form.tsx'
import { formatDate } from '~/components/format/format.ts'
import { Entrance } from '~/pages/sign-in/entrance.tsx'
import { Invited } from '~/pages/sign-in/invited.tsx'
import { PartnerSignUp } from './partner-sign-up.tsx'

/** The page behind the link that a merchant hands to a partner. */
export const PartnerInvitationPage = () => {
  const { invitationId: id = '' } = useParams({ strict: false })
  const query = usePartnerInvitation(id)
  return (
    <Invited query={query} here={`/portal/invite/${id}`} over={<Over />}>
      {({ email, programName, partnerName, expiresAt }) => ({
        title: `Join ${programName}`,
        description: `${partnerName}, you are invited as a partner, with the address ${email}, until ${formatDate(expiresAt)}.`,
        signUp: <PartnerSignUp invitationId={id} email={email} name={partnerName} />,
        accept: <Accept id={id} />,
      })}
    </Invited>
  )
}

const Over = () => (
  <Entrance
    title="This invitation is no longer valid"
    description="It was used, was replaced by a newer one, or has expired. If you have used it, sign in; else ask whoever sent it for a new one."
  >
    <Link to="/portal" className={buttonClass({}, 'w-full')}>
      Go to the partner portal
    </Link>
  </Entrance>
)

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
