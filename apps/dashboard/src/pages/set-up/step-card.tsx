import type { SetUp } from '@tributary/contract'
import { clsx } from 'clsx'
import { Check, ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useFocusFromHash } from '~/app/focus-from-hash.ts'
import { Badge } from '~/components/badge.tsx'
import { Card } from '~/components/card.tsx'

export type Steps = SetUp['steps']
export type StepName = keyof Steps

/** Every step's title, in order: on the setup page and in the checklist on the overview. */
export const STEP_TITLES: Record<StepName, string> = {
  website: 'Add your website',
  reward: 'Set a reward',
  script: 'Install the script',
  signUps: 'Track leads',
  payments: 'Track sales',
  partner: 'Add your first partner',
  link: 'Create your first link',
}

export const STEP_NAMES = Object.keys(STEP_TITLES) as StepName[]

/** Links to a step end with `#name`. */
type Props = { number: number; name: StepName; summary: string; isComplete: boolean; children: ReactNode }

/** Completed steps start collapsed. */
export const StepCard = ({ number, name, summary, isComplete, children }: Props) => {
  const [choice, setChoice] = useState<boolean | null>(isComplete ? false : null)
  const isOpen = choice ?? true
  const bodyId = useId()
  const heading = useFocusFromHash<HTMLHeadingElement>(name)
  return (
    <Card>
      <h2 ref={heading} className="scroll-mt-5">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={() => setChoice(!isOpen)}
          className="flex w-full items-center gap-3.5 rounded-xl px-5 py-4 text-left focus-visible:-outline-offset-2"
        >
          <span
            className={clsx(
              'grid size-7 shrink-0 place-items-center rounded-full font-semibold text-sm',
              isComplete ? 'bg-accent text-on-accent' : 'border border-line-strong text-soft',
            )}
          >
            {isComplete ? <Check aria-hidden className="size-4" /> : number}
          </span>
          <span className="min-w-0 flex-1">
            <span className="block text-section">{STEP_TITLES[name]}</span>
            <span className="block text-pretty font-normal text-faint text-sm">{summary}</span>
          </span>
          <span className="max-sm:sr-only">
            <Badge tone={isComplete ? 'good' : 'neutral'}>{isComplete ? 'Complete' : 'Pending'}</Badge>
          </span>
          <ChevronDown
            aria-hidden
            className={clsx('size-4 shrink-0 text-faint transition-transform', isOpen && 'rotate-180')}
          />
        </button>
      </h2>
      <div id={bodyId} hidden={!isOpen} className="border-line border-t px-5 py-5">
        <div className="flex min-w-0 flex-col gap-4">{children}</div>
      </div>
    </Card>
  )
}
