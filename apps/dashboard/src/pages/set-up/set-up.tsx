import { useLocation } from '@tanstack/react-router'
import type { SetUp as SetUpData } from '@tributary/contract'
import { useCall } from '~/api/call.ts'
import { POLL_MS } from '~/api/live.ts'
import { useProgram } from '~/app/program-context.ts'
import { Page } from '~/components/page.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { ConnectResult } from './connect-result.tsx'
import { LeadsStep } from './leads-step.tsx'
import { PartnerStep } from './partner-step.tsx'
import { SwitchMode } from './payment-mode.tsx'
import { PaymentsStep } from './payments-step.tsx'
import { Progress } from './progress.tsx'
import { RewardStep } from './reward-step.tsx'
import { ScriptStep } from './script-step.tsx'
import { useStepKey } from './step-key.tsx'
import { isStepDone, type StepName } from './steps.ts'
import { useOpenStep } from './use-open-step.ts'

/** One step is open at a time. Each is complete when what it promises has happened. */
export const SetUp = () => {
  const { program } = useProgram()
  const { hash } = useLocation()
  // The page waits for the merchant's events.
  const setUp = useCall('get /api/programs/{programId}/set-up', { programId: program.id }, { refetchInterval: POLL_MS })
  return (
    <Page title="Setup" description="Each step is complete when it works. This page updates automatically.">
      <ConnectResult />
      <QueryView query={setUp} loading={<SetUpSkeleton />}>
        {(data) => <Steps key={`${program.id}#${hash}`} data={data} />}
      </QueryView>
    </Page>
  )
}

const Steps = ({ data: { done, steps } }: { data: SetUpData }) => {
  const { open, toggle } = useOpenStep(steps)
  const apiKey = useStepKey()
  const frame = (name: StepName) => ({
    name,
    isComplete: isStepDone(steps, name),
    isOpen: open === name,
    onToggle: () => toggle(name),
  })
  const { mode, switchTo } = steps.payments
  return (
    <>
      <Progress isDone={done} steps={steps} />
      {switchTo && <SwitchMode saved={mode} to={switchTo} />}
      <div className="flex flex-col gap-3">
        <PartnerStep steps={steps} frame={frame('partner')} />
        <RewardStep frame={frame('reward')} />
        <ScriptStep step={steps.script} frame={frame('script')} />
        <LeadsStep step={steps.signUps} frame={frame('signUps')} apiKey={apiKey} />
        <PaymentsStep step={steps.payments} frame={frame('payments')} apiKey={apiKey} />
      </div>
    </>
  )
}

const SetUpSkeleton = () => (
  <Loading className="flex flex-col gap-5">
    <Skeleton className="h-24 w-full rounded-xl" />
    <Skeleton className="h-52 w-full rounded-xl" />
    <Skeleton className="h-52 w-full rounded-xl" />
  </Loading>
)
