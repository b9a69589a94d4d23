import { Link } from '@tanstack/react-router'
import type { TrackingStatus } from '@tributary/contract'
import { PartyPopper, UsersRound } from 'lucide-react'
import { useTrackingStatus } from '~/api/tracking.ts'
import { useProgram } from '~/app/program-context.ts'
import { buttonClass } from '~/components/button.tsx'
import { Card } from '~/components/card.tsx'
import { Page } from '~/components/page.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { CameBack } from './came-back.tsx'
import { PageviewStep } from './pageview-step.tsx'
import { PaymentsStep } from './payments-step.tsx'
import { Progress } from './progress.tsx'
import { ReferralsStep } from './referrals-step.tsx'

/** The three steps of the interface, live from the status endpoint while the page is open. */
export const SetUp = () => {
  const { program } = useProgram()
  const status = useTrackingStatus(program.id, { live: true })
  return (
    <Page
      title="Set-up"
      description="Three steps connect your site. Each one is checked as you go: this page notices by itself when an event arrives."
    >
      <CameBack />
      <QueryView query={status} loading={<SetUpSkeleton />}>
        {(data) => <Steps key={program.id} status={data} />}
      </QueryView>
    </Page>
  )
}

const Steps = ({ status }: { status: TrackingStatus }) => {
  const { pageview, referrals, payments } = status.stepStatuses
  const isDone = [pageview, referrals, payments].every((step) => step === 'complete')
  return (
    <>
      <Progress statuses={status.stepStatuses} />
      {(isDone || status.hasPartners) && <Next isDone={isDone} hasPartners={status.hasPartners} />}
      <PageviewStep status={status} />
      <ReferralsStep status={status} />
      <PaymentsStep status={status} />
    </>
  )
}

const Next = ({ isDone, hasPartners }: { isDone: boolean; hasPartners: boolean }) => {
  const { program } = useProgram()
  if (!isDone) return null
  const to = hasPartners ? '/programs/$programId/links' : '/programs/$programId/partners'
  return (
    <Card className="flex flex-wrap items-center gap-4 px-5 py-4">
      <span aria-hidden className="grid size-9 place-items-center rounded-lg bg-good-soft text-good-ink [&_svg]:size-5">
        {hasPartners ? <PartyPopper /> : <UsersRound />}
      </span>
      <p className="min-w-0 flex-1 basis-56">
        <span className="block font-semibold">Everything is connected</span>
        <span className="text-soft text-sm">
          {hasPartners
            ? 'Partners can share their links.'
            : 'Now add the first partner, so that there is somebody to credit.'}
        </span>
      </p>
      <Link to={to} params={{ programId: String(program.id) }} className={buttonClass({ look: 'primary' })}>
        {hasPartners ? 'See the links' : 'Add a partner'}
      </Link>
    </Card>
  )
}

const SetUpSkeleton = () => (
  <Loading className="flex flex-col gap-5">
    <Skeleton className="h-16 w-full rounded-xl" />
    <Skeleton className="h-52 w-full rounded-xl" />
    <Skeleton className="h-52 w-full rounded-xl" />
  </Loading>
)
