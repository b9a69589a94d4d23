import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '~/api/accounts/session.ts'
import { ApiError } from '~/api/client.ts'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { ErrorState } from '~/components/states.tsx'
import { Entrance, TEXT_LINK } from './entrance.tsx'
import { SignOutFirst } from './sign-out-first.tsx'

type Invitation = { email: string }
type Page = { title: string; description: string; signUp: ReactNode; accept: ReactNode }

type Props<Kind extends Invitation> = {
  query: UseQueryResult<Kind>
  /** The address of this page, to come back to after a sign-in. */
  here: string
  /** Shown when the invitation can no longer be used. */
  over: ReactNode
  children: (invitation: Kind) => Page
}

/** The page behind an invitation link: for who has an account, for who makes one now, and for who is somebody else. */
export const Invited = <Kind extends Invitation>({ query, here, over, children }: Props<Kind>) => {
  const session = useSession()
  if (query.isPending || session.isPending)
    return (
      <Entrance title="Invitation">
        <Loading className="flex flex-col gap-3">
          <Skeleton />
          <Skeleton className="h-9 w-full" />
        </Loading>
      </Entrance>
    )
  if (query.error instanceof ApiError && query.error.code === 'not_found') return over
  if (!query.data)
    return (
      <Entrance title="Invitation">
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </Entrance>
    )
  const { email } = query.data
  const signedInAs = session.data?.user.email ?? null
  const { title, description, signUp, accept } = children(query.data)
  const isMine = signedInAs?.toLowerCase() === email.toLowerCase()
  return (
    <Entrance title={title} description={description} footer={!signedInAs && <SignIn next={here} />}>
      {!signedInAs && signUp}
      {signedInAs && !isMine && <SignOutFirst signedInAs={signedInAs} wanted={email} next={here} />}
      {isMine && accept}
    </Entrance>
  )
}

const SignIn = ({ next }: { next: string }) => (
  <>
    Have an account with this address?{' '}
    <Link to="/sign-in" search={{ next }} className={TEXT_LINK}>
      Sign in
    </Link>
  </>
)
