import type { SetUp } from '@tributary/contract'
import { useProgram } from '~/app/program-context.ts'
import { formatList } from '~/components/format/format.ts'
import { NextAction } from './next-action.tsx'
import { StepCard } from './step-card.tsx'

type Props = { step: SetUp['steps']['website']; number: number }

export const WebsiteStep = ({ step, number }: Props) => {
  const { program } = useProgram()
  return (
    <StepCard number={number} name="website" summary="The site partners send visitors to." isComplete={step.done}>
      <NextAction
        to="settings/details"
        hash="websites"
        label={step.done ? 'View website' : 'Add website'}
        isDone={step.done}
      >
        {step.done
          ? `Links point to ${formatList(program.websites)}.`
          : 'Without a website, links can point anywhere and each one needs its own destination page.'}
      </NextAction>
    </StepCard>
  )
}
