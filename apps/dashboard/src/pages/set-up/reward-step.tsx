import type { SetUp } from '@tributary/contract'
import { useProgram } from '~/app/program-context.ts'
import { NoRewardNotice } from '../settings/rewards/no-reward-notice.tsx'
import { describeReward } from '../settings/rewards/reward-text.ts'
import { NextAction } from './next-action.tsx'
import { StepCard } from './step-card.tsx'

type Props = { step: SetUp['steps']['reward']; number: number }

export const RewardStep = ({ step, number }: Props) => {
  const { program } = useProgram()
  return (
    <StepCard number={number} name="reward" summary="What partners earn for leads and sales." isComplete={step.done}>
      {step.done ? (
        <NextAction to="settings/rewards" label="View reward" isDone>
          Current reward: {describeReward(program.reward)}.
        </NextAction>
      ) : (
        <NoRewardNotice />
      )}
    </StepCard>
  )
}
