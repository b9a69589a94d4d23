import type { SetUp } from '@tributary/contract'
import { useProgram } from '~/app/program-context.ts'
import { NoRewardNotice } from '../settings/rewards/no-reward-notice.tsx'
import { rewardWords } from '../settings/rewards/reward-words.ts'
import { NextAction } from './next-action.tsx'
import { StepCard } from './step-card.tsx'

type Props = { step: SetUp['steps']['reward']; number: number }

export const RewardStep = ({ step, number }: Props) => {
  const { program } = useProgram()
  return (
    <StepCard
      number={number}
      title="Set the reward"
      summary="What partners earn for a sale or a sign-up."
      isComplete={step.done}
    >
      {step.done ? (
        <NextAction to="settings/rewards" label="See the reward" isDone>
          Partners earn {rewardWords(program.reward)}.
        </NextAction>
      ) : (
        <NoRewardNotice />
      )}
    </StepCard>
  )
}
