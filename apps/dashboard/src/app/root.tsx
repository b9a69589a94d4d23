import { type ErrorComponentProps, Link, Outlet, useRouter } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { isServiceUp, ScreenLoadError } from '~/api/fetch-screen.ts'
import { buttonClass } from '~/components/controls/button.tsx'
import { Toaster, toast } from '~/components/overlays/toast.tsx'
import { usePageTitle } from '~/components/page.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { EmptyState, ErrorState } from '~/components/states.tsx'
import { SessionEnded } from './session-ended.tsx'

export const Root = () => (
  <>
    <Outlet />
    <SessionEnded />
    <Toaster />
  </>
)

export const NotFound = () => {
  usePageTitle('Page not found')
  return (
    <main className="grid min-h-[70dvh] place-items-center">
      <EmptyState
        icon={<Compass />}
        heading="h1"
        title="Page not found"
        action={
          <Link to="/" className={buttonClass({ look: 'primary' })}>
            Go to home page
          </Link>
        }
      >
        The link may be outdated, or you may not have access to this page.
      </EmptyState>
    </main>
  )
}

export const PageError = ({ error, reset }: ErrorComponentProps) => {
  const router = useRouter()
  usePageTitle('Error')
  const retry = async () => {
    if (!(error instanceof ScreenLoadError)) {
      reset()
      return router.invalidate()
    }
    if (await isServiceUp()) location.reload()
    else toast.failed('Still can’t reach the service. Try again in a moment.')
  }
  return (
    <main className="grid min-h-[70dvh] place-items-center">
      <ErrorState error={error} onRetry={() => void retry()} heading="h1" />
    </main>
  )
}

/** Shown while the next screen loads. */
export const Pending = () => (
  <Loading className="mx-auto flex w-full max-w-6xl flex-col gap-5 px-4 py-8 sm:px-6 lg:px-8">
    <Skeleton className="h-7 w-48" />
    <Skeleton className="h-64 w-full rounded-xl" />
  </Loading>
)
