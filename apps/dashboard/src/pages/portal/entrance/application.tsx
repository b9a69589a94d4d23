import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '~/api/accounts/session.ts'
import { ApiError } from '~/api/client.ts'
import { type ApplicationPage, useApplicationPage } from '~/api/partner-entrance.ts'
import { buttonClass } from '~/components/controls/button.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { ErrorState } from '~/components/states.tsx'
import { Entrance, TEXT_LINK } from '~/pages/sign-in/entrance.tsx'
import { ApplicationForm } from './application-form.tsx'
import { ApplyWithAccount } from './apply-with-account.tsx'
import { Offer } from './offer.tsx'

/** What a program shows to whoever might become its partner. */
export const Application = () => {
  const { programId = '' } = useParams({ strict: false })
  const application = useApplicationPage(programId)
  const session = useSession()
  if (application.isPending || session.isPending)
    return (
      <Entrance title="Application">
        <Loading className="flex flex-col gap-3">
          <Skeleton className="h-20 w-full" />
          <Skeleton className="h-9 w-full" />
        </Loading>
      </Entrance>
    )
  if (application.error instanceof ApiError && application.error.status === 404) return <Closed />
  if (!application.data)
    return (
      <Entrance title="Application">
        <ErrorState error={application.error} onRetry={() => void application.refetch()} />
      </Entrance>
    )
  if (session.data) return <ApplyWithAccount application={application.data} user={session.data.user} />
  return <Apply application={application.data} />
}

const Closed = () => (
  <Entrance
    title="No applications here"
    description="There is no program at this address that takes applications. Check the link, or ask whoever gave it to you."
  >
    <Link to="/sign-in" className={buttonClass({}, 'w-full')}>
      Sign in
    </Link>
  </Entrance>
)

/** Who has an account signs in and comes back here: the same link serves who is new and who is not. */
const Apply = ({ application }: { application: ApplicationPage }) => {
  const [isSent, setSent] = useState(false)
  const next = `/apply/${application.programId}`
  if (isSent)
    return (
      <Entrance
        title="Your application was sent"
        description={`${application.programName} looks at it and decides. Sign in to see how it stands; there your links and earnings will be. If you had an account with this address before, sign in with that one to finish.`}
      >
        <Link to="/sign-in" search={{ next }} className={buttonClass({ look: 'primary' }, 'h-9 w-full')}>
          Sign in
        </Link>
      </Entrance>
    )
  return (
    <Entrance
      title={`Join ${application.programName}`}
      description="Become a partner: share a link, and earn when it brings somebody."
      footer={
        <>
          Have an account?{' '}
          <Link to="/sign-in" search={{ next }} className={TEXT_LINK}>
            Sign in to apply with it
          </Link>
        </>
      }
    >
      <Offer application={application} />
      <ApplicationForm programId={application.programId} onSent={() => setSent(true)} />
    </Entrance>
  )
}
