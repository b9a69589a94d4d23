import type { SetUp } from '@tributary/contract'
import { NextAction } from './next-action.tsx'
import { StepCard } from './step-card.tsx'

type Props = { step: SetUp['steps']['partner']; number: number }

const describeStep = ({ done, total }: Props['step']) => {
  if (done) return 'At least one partner is approved.'
  return total === 0
    ? 'Leads and sales are credited to partners, so add at least one.'
    : 'None of your partners is approved. Approve one so they can earn.'
}

export const PartnerStep = ({ step, number }: Props) => (
  <StepCard
    number={number}
    name="partner"
    summary="A person or company that refers customers to you."
    isComplete={step.done}
  >
    <NextAction
      to="partners"
      label={step.total === 0 ? 'Add partner' : 'View partners'}
      isDone={step.done}
      creates={step.total === 0}
    >
      {describeStep(step)}
    </NextAction>
  </StepCard>
)
