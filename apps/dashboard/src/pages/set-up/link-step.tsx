import type { SetUp } from '@tributary/contract'
import { NextAction } from './next-action.tsx'
import { StepCard } from './step-card.tsx'

type Props = { step: SetUp['steps']['link']; number: number }

export const LinkStep = ({ step, number }: Props) => (
  <StepCard
    number={number}
    title="Create the first link"
    summary="The address that a partner shares."
    isComplete={step.done}
  >
    <NextAction to="links" label={step.done ? 'See the links' : 'Create a link'} isDone={step.done}>
      {step.done
        ? 'At least one approved partner has an active link.'
        : 'No approved partner has an active link yet, so there is nothing to share.'}
    </NextAction>
  </StepCard>
)
