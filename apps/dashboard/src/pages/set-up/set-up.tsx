import type { SetUp as SetUpData } from '@tributary/contract'
import { useSetUp } from '~/api/set-up.ts'
import { useProgram } from '~/app/program-context.ts'
import { Page } from '~/components/page.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { CameBack } from './came-back.tsx'
import { LinkStep } from './link-step.tsx'
import { PartnerStep } from './partner-step.tsx'
import { PaymentsStep } from './payments-step.tsx'
import { Progress } from './progress.tsx'
import { RewardStep } from './reward-step.tsx'
import { ScriptStep } from './script-step.tsx'
import { SignUpsStep } from './sign-ups-step.tsx'
import { WebsiteStep } from './website-step.tsx'

/** What the program needs, each step judged by what the merchant's side has sent. */
export const SetUp = () => {
  const { program } = useProgram()
  const setUp = useSetUp(program.id)
  return (
    <Page
      title="Set-up"
      description="Tracking steps are complete once an event has arrived from your side. This page updates automatically."
    >
      <CameBack />
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
    <SignUpsStep step={steps.signUps} number={4} />
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
