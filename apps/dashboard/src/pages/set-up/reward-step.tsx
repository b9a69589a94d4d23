import { Link } from '@tanstack/react-router'
import { useProgram } from '~/app/program-context.ts'
import { buttonClass } from '~/components/controls/button.tsx'
import { describeReward } from '../settings/rewards/reward-text.ts'
import { type Frame, StepAction, StepCard } from './step-card.tsx'

export const RewardStep = ({ frame }: { frame: Frame }) => {
  const { program, may } = useProgram()
  const { isComplete } = frame
  const link = (
    <Link
      to="/programs/$programId/settings/rewards"
      params={{ programId: String(program.id) }}
      {...(!isComplete && { hash: 'reward' })}
      className={buttonClass({ look: isComplete ? 'secondary' : 'primary' })}
    >
      {isComplete ? 'View reward' : 'Set a reward'}
    </Link>
  )
  return (
    <StepCard
      frame={frame}
      summary={isComplete ? `${describeReward(program.reward)}.` : 'What partners earn for leads and sales.'}
    >
      <StepAction action={(isComplete || may('payout:manage')) && link}>
        {isComplete
          ? 'Changes apply to later leads and sales.'
          : `No reward is set, so partners earn nothing for leads and sales.${may('payout:manage') ? '' : ' Ask an owner or admin to set it.'}`}
      </StepAction>
    </StepCard>
  )
}
