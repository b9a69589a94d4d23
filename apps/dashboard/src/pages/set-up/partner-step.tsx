import type { SetUp } from '@tributary/contract'
import { NextAction } from './next-action.tsx'
import { StepCard } from './step-card.tsx'

type Props = { step: SetUp['steps']['partner']; number: number }

const textOf = ({ done, total }: Props['step']) => {
  if (done) return 'At least one partner is approved.'
  return total === 0
    ? 'No partner has been added yet. Sales are credited to partners, so there must be one.'
    : 'There are partners, but none is approved. Approve one to let them earn.'
}

export const PartnerStep = ({ step, number }: Props) => (
  <StepCard
    number={number}
    title="Add the first partner"
    summary="Somebody who refers customers to you."
    isComplete={step.done}
  >
    <NextAction to="partners" label={step.total === 0 ? 'Add a partner' : 'See the partners'} isDone={step.done}>
      {textOf(step)}
    </NextAction>
  </StepCard>
)
