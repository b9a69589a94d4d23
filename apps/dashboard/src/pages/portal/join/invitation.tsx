import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { Agreement } from '@tributary/contract'
import { useCall, useChange } from '~/api/call.ts'
import { Button, buttonClass } from '~/components/controls/button.tsx'
import { Form, FormError } from '~/components/controls/form.tsx'
import { formatDate } from '~/components/format/format.ts'
import { AuthLayout } from '~/pages/sign-in/auth-layout.tsx'
import { InvitationScreen } from '~/pages/sign-in/invitation-screen.tsx'
import { AgreementField } from './agreement-field.tsx'
import { PartnerSignUp } from './partner-sign-up.tsx'

/** Opened from the link that a merchant sends to a partner. */
export const PartnerInvitationPage = () => {
  const { invitationId: id = '' } = useParams({ strict: false })
  const query = useCall('get /api/public/partner-invitations/{invitationId}', { invitationId: id })
  return (
    <InvitationScreen query={query} path={`/portal/invite/${id}`} expired={<Expired />}>
      {({ email, programName, partnerName, expiresAt, brand, agreement }) => ({
        by: { programName, brand },
        title: `Join ${programName}`,
        description: `${partnerName}, you are invited to the partner portal as ${email}. See your links, commissions and payouts there. The invitation expires on ${formatDate(expiresAt)}.`,
        signUp: <PartnerSignUp invitationId={id} email={email} name={partnerName} agreement={agreement} />,
        accept: <Accept id={id} agreement={agreement} />,
      })}
    </InvitationScreen>
  )
}

const Expired = () => (
  <AuthLayout
    title="This invitation is no longer valid"
    description="It was used, replaced or has expired. If you already accepted it, sign in. Otherwise ask the business that invited you for a new link."
  >
    <Link to="/portal" className={buttonClass({}, 'w-full')}>
      Go to partner portal
    </Link>
  </AuthLayout>
)

const Accept = ({ id, agreement }: { id: string; agreement: Agreement | null }) => {
  const accept = useChange(
    'post /api/portal/invitations/{invitationId}/accept',
    { invitationId: id },
    // The invitation on the screen has been used, and would be replaced by an error.
    { changes: ['portal'] },
  )
  const navigate = useNavigate()
  const join = () =>
    accept.mutate(
      { body: { agreementVersion: agreement?.version } },
      {
        onSuccess: ({ programId }) =>
          void navigate({ to: '/portal/$programId', params: { programId: String(programId) } }),
      },
    )
  return (
    <Form onSubmit={join} className="flex flex-col gap-4">
      <AgreementField agreement={agreement} />
      <FormError error={accept.error} />
      <Button type="submit" look="primary" busy={accept.isPending} className="h-9 w-full">
        Accept invitation
      </Button>
    </Form>
  )
}
