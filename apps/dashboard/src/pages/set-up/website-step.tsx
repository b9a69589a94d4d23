import type { SetUp } from '@tributary/contract'
import { useProgram } from '~/app/program-context.ts'
import { formatList } from '~/components/format/format.ts'
import { NextAction } from './next-action.tsx'
import { StepCard } from './step-card.tsx'

type Props = { step: SetUp['steps']['website']; number: number }

export const WebsiteStep = ({ step, number }: Props) => {
  const { program } = useProgram()
  return (
    <StepCard
      number={number}
      title="Set the website"
      summary="The site that partners send visitors to."
      isComplete={step.done}
    >
      <NextAction to="settings/program" label={step.done ? 'See the website' : 'Set the website'} isDone={step.done}>
        {step.done
          ? `Links lead to ${formatList(program.websites)}.`
          : 'No website is set, so links may lead to any site and each one needs its own page.'}
      </NextAction>
    </StepCard>
  )
}
