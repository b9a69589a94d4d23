import type { SetUp as SetUpData } from '@tributary/contract'
import { useCall } from '~/api/call.ts'
import { POLL_MS } from '~/api/live.ts'
import { useProgram } from '~/app/program-context.ts'
import { Page } from '~/components/page.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { ConnectResult } from './connect-result.tsx'
import { LeadsStep } from './leads-step.tsx'
import { LinkStep } from './link-step.tsx'
import { PartnerStep } from './partner-step.tsx'
import { PaymentsStep } from './payments-step.tsx'
import { Progress } from './progress.tsx'
import { RewardStep } from './reward-step.tsx'
import { ScriptStep } from './script-step.tsx'
import { WebsiteStep } from './website-step.tsx'

/** Each tracking step is complete when its first event has arrived. */
export const SetUp = () => {
  const { program } = useProgram()
  // The page waits for the merchant's events.
  const setUp = useCall('get /api/programs/{programId}/set-up', { programId: program.id }, { refetchInterval: POLL_MS })
  return (
    <Page
      title="Setup"
      description="Each tracking step is marked complete when its first event arrives. This page updates automatically."
    >
      <ConnectResult />
      <QueryView query={setUp} loading={<SetUpSkeleton />}>
        {(data) => <Steps key={program.id} data={data} />}
      </QueryView>
    </Page>
  )
}

const Steps = ({ data: { done, steps } }: { data: SetUpData }) => (
  <>
    <Progress isDone={done} steps={steps} />
    <WebsiteStep step={steps.website} number={1} />
    <RewardStep step={steps.reward} number={2} />
    <ScriptStep step={steps.script} number={3} />
    <LeadsStep step={steps.signUps} number={4} />
    <PaymentsStep step={steps.payments} number={5} />
    <PartnerStep step={steps.partner} number={6} />
    <LinkStep step={steps.link} number={7} />
  </>
)

const SetUpSkeleton = () => (
  <Loading className="flex flex-col gap-5">
    <Skeleton className="h-24 w-full rounded-xl" />
    <Skeleton className="h-52 w-full rounded-xl" />
    <Skeleton className="h-52 w-full rounded-xl" />
  </Loading>
)
