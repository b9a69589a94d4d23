import { Navigate } from '@tanstack/react-router'
import type { SignedInUser } from '~/api/accounts/session.ts'
import { type ApplicationPage, useApplyWithAccount } from '~/api/partner-sign-up.ts'
import { usePortalPrograms } from '~/api/portal.ts'
import { Button } from '~/components/controls/button.tsx'
import { FormError } from '~/components/controls/form.tsx'
import { AuthLayout } from '~/pages/sign-in/auth-layout.tsx'
import { Offer } from './offer.tsx'

/** For signed-in users. Those who already applied go to the portal. */
export const ApplyWithAccount = ({ application, user }: { application: ApplicationPage; user: SignedInUser }) => {
  const { programId, programName } = application
  const { data: programs } = usePortalPrograms()
  const apply = useApplyWithAccount(programId)
  if (programs?.some((program) => program.programId === programId))
    return <Navigate to="/portal/$programId" params={{ programId: String(programId) }} replace />
  return (
    <AuthLayout title={`Join ${programName}`} footer={`You are signed in as ${user.email}.`}>
      <Offer application={application} />
      <div className="flex flex-col gap-4">
        <FormError error={apply.error} />
        <Button
          look="primary"
          busy={apply.isPending || !programs}
          onClick={() => apply.mutate()}
          className="h-9 w-full"
        >
          Apply as {user.name}
        </Button>
      </div>
    </AuthLayout>
  )
}
