import type { SetUp } from '@tributary/contract'
import { NextAction } from './next-action.tsx'
import { StepCard } from './step-card.tsx'

type Props = { step: SetUp['steps']['link']; number: number }

export const LinkStep = ({ step, number }: Props) => (
  <StepCard number={number} name="link" summary="Give a partner a link to share." isComplete={step.done}>
    <NextAction to="links" label={step.done ? 'View links' : 'Create link'} isDone={step.done} creates={!step.done}>
      {step.done ? 'At least one approved partner has an active link.' : 'No approved partner has an active link yet.'}
    </NextAction>
  </StepCard>
)
