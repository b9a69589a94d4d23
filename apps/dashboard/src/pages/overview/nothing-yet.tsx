import { Link } from '@tanstack/react-router'
import { ChartNoAxesColumn } from 'lucide-react'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { buttonClass } from '~/components/controls/button.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { EmptyState } from '~/components/states.tsx'

export const NothingYet = () => {
  const { program } = useProgram()
  return (
    <Card>
      <EmptyState
        icon={<ChartNoAxesColumn />}
        title="No clicks yet"
        action={
          <Link to="/programs/$programId/links" params={{ programId: String(program.id) }} className={buttonClass()}>
            View links
          </Link>
        }
      >
        Clicks, leads, sales and revenue appear here once a visitor follows a referral link.
      </EmptyState>
    </Card>
  )
}

export const OverviewSkeleton = () => (
  <Loading className="flex flex-col gap-5">
    <Skeleton className="h-[23rem] w-full rounded-xl" />
    <div className="grid gap-5 lg:grid-cols-2">
      <Skeleton className="h-72 w-full rounded-xl" />
      <Skeleton className="h-72 w-full rounded-xl" />
    </div>
  </Loading>
)
