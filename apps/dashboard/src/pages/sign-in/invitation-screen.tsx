import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '~/api/accounts/session.ts'
import { ApiError } from '~/api/client.ts'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { ErrorState } from '~/components/states.tsx'
import { AuthLayout, type BrandedBy, TEXT_LINK } from './auth-layout.tsx'
import { SignOutFirst } from './sign-out-first.tsx'

type Invitation = { email: string }
type Page = { by?: BrandedBy; title: string; description: ReactNode; signUp: ReactNode; accept: ReactNode }

type Props<Kind extends Invitation> = {
  query: UseQueryResult<Kind>
  /** This page's path, to return to after signing in. */
  path: string
  /** Shown if the invitation is no longer valid. */
  expired: ReactNode
  children: (invitation: Kind) => Page
}

/** Handles all visitors: signed in as the invited user, signed in as someone else, or signed out. */
export const InvitationScreen = <Kind extends Invitation>({ query, path, expired, children }: Props<Kind>) => {
  const session = useSession()
  if (query.isPending || session.isPending)
    return (
      <AuthLayout title="Invitation">
        <Loading className="flex flex-col gap-3">
          <Skeleton />
          <Skeleton className="h-9 w-full" />
        </Loading>
      </AuthLayout>
    )
  if (query.error instanceof ApiError && query.error.code === 'not_found') return expired
  if (!query.data)
    return (
      <AuthLayout title="Invitation">
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </AuthLayout>
    )
  const { email } = query.data
  const signedInAs = session.data?.user.email ?? null
  const { by, title, description, signUp, accept } = children(query.data)
  const isMine = signedInAs?.toLowerCase() === email.toLowerCase()
  return (
    <AuthLayout
      title={title}
      description={description}
      footer={!signedInAs && <SignIn next={path} />}
      {...(by && { by })}
    >
      {!signedInAs && signUp}
      {signedInAs && !isMine && <SignOutFirst signedInAs={signedInAs} invitedEmail={email} next={path} />}
      {isMine && accept}
    </AuthLayout>
  )
}

const SignIn = ({ next }: { next: string }) => (
  <>
    Already have an account with this email?{' '}
    <Link to="/sign-in" search={{ next }} className={TEXT_LINK}>
      Sign in
    </Link>
  </>
)
