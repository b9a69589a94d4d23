import { Navigate } from '@tanstack/react-router'
import type { SignedInUser } from '~/api/accounts/session.ts'
import { type ApplicationPage, useApplyWithAccount } from '~/api/partner-entrance.ts'
import { usePortalPrograms } from '~/api/portal.ts'
import { Button } from '~/components/controls/button.tsx'
import { FormError } from '~/components/controls/form.tsx'
import { Entrance } from '~/pages/sign-in/entrance.tsx'
import { Offer } from './offer.tsx'

/** For who is signed in: one press. Who has applied already sees how it stands instead. */
export const ApplyWithAccount = ({ application, user }: { application: ApplicationPage; user: SignedInUser }) => {
  const { programId, programName } = application
  const { data: programs } = usePortalPrograms()
  const apply = useApplyWithAccount(programId)
  if (programs?.some((program) => program.programId === programId))
    return <Navigate to="/portal/$programId" params={{ programId: String(programId) }} replace />
  return (
    <Entrance title={`Join ${programName}`} footer={`You are signed in as ${user.email}.`}>
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
    </Entrance>
  )
}
