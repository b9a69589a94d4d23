import { useReward } from '~/api/money/rewards.ts'
import { useProgram } from '~/app/program-context.ts'
import { Page } from '~/components/page.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { RewardEditor } from './reward-editor.tsx'
import { RewardHistory } from './reward-history.tsx'

export const Rewards = () => {
  const { program, may } = useProgram()
  const reward = useReward(program.id)
  return (
    <Page title="Rewards" description="What partners earn. Groups and individual partners can have their own terms.">
      <QueryView query={reward} loading={<RewardSkeleton />}>
        {(data) => <RewardEditor reward={data} title="Reward" />}
      </QueryView>
      {may('payout:manage') && <RewardHistory />}
    </Page>
  )
}

const RewardSkeleton = () => (
  <Loading className="grid gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
    <Skeleton className="h-96 w-full rounded-xl" />
    <Skeleton className="h-80 w-full rounded-xl" />
  </Loading>
)
