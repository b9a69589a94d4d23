import { Link, useParams } from '@tanstack/react-router'
import type { ApplicationPage } from '@tributary/contract'
import { useState } from 'react'
import { useSession } from '~/api/accounts/session.ts'
import { useCall } from '~/api/call.ts'
import { ApiError } from '~/api/client.ts'
import { buttonClass } from '~/components/controls/button.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { ErrorState } from '~/components/states.tsx'
import { AuthLayout, TEXT_LINK } from '~/pages/sign-in/auth-layout.tsx'
import { ApplicationForm } from './application-form.tsx'
import { ApplyWithAccount } from './apply-with-account.tsx'
import { Offer } from './offer.tsx'

/** A program's public application page. */
export const Application = () => {
  const { programId = '' } = useParams({ strict: false })
  const application = useCall('get /api/public/programs/{programId}/application', { programId: Number(programId) })
  const session = useSession()
  if (application.isPending || session.isPending)
    return (
      <AuthLayout title="Application">
        <Loading className="flex flex-col gap-3">
          <Skeleton className="h-20 w-full" />
          <Skeleton className="h-9 w-full" />
        </Loading>
      </AuthLayout>
    )
  if (application.error instanceof ApiError && application.error.status === 404) return <Closed />
  if (!application.data)
    return (
      <AuthLayout title="Application">
        <ErrorState error={application.error} onRetry={() => void application.refetch()} />
      </AuthLayout>
    )
  if (session.data) return <ApplyWithAccount application={application.data} user={session.data.user} />
  return <Apply application={application.data} />
}

const Closed = () => (
  <AuthLayout
    title="Applications are closed"
    description="This program doesn’t accept applications, or the link is wrong. Check the link, or ask the business that gave it to you."
  >
    <Link to="/sign-in" className={buttonClass({}, 'w-full')}>
      Sign in
    </Link>
  </AuthLayout>
)

/** Users with an account sign in and return here. */
const Apply = ({ application }: { application: ApplicationPage }) => {
  const [isSent, setSent] = useState(false)
  const next = `/apply/${application.programId}`
  if (isSent)
    return (
      <AuthLayout
        title="Application submitted"
        by={application}
        description={`${application.programName} will review your application. Sign in to check its status. If you already had an account with this email, your application isn’t finished: sign in to finish it.`}
      >
        <Link to="/sign-in" search={{ next }} className={buttonClass({ look: 'primary' }, 'h-9 w-full')}>
          Sign in
        </Link>
      </AuthLayout>
    )
  return (
    <AuthLayout
      title={`Join ${application.programName}`}
      by={application}
      description={application.brand.description ?? 'Become a partner, share your link and earn commissions.'}
      footer={
        <>
          Already have an account?{' '}
          <Link to="/sign-in" search={{ next }} className={TEXT_LINK}>
            Sign in to apply
          </Link>
        </>
      }
    >
      <Offer application={application} />
      <ApplicationForm application={application} onSent={() => setSent(true)} />
    </AuthLayout>
  )
}
