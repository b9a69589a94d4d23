import { clsx } from 'clsx'
import { Check, ChevronDown } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useFocusFromHash } from '~/app/focus-from-hash.ts'
import { Card } from '~/components/card.tsx'
import { STEP_NAMES, STEP_TITLES, type StepName } from './steps.ts'

/** Where a step is on the page. */
export type Frame = { name: StepName; isComplete: boolean; isOpen: boolean; onToggle: () => void }

/** `summary` says what the step is for, or what completed it. */
type Props = { frame: Frame; summary: ReactNode; children: ReactNode }

/** Links to a step end with `#name`. */
export const StepCard = ({ frame: { name, isComplete, isOpen, onToggle }, summary, children }: Props) => {
  const bodyId = useId()
  const heading = useFocusFromHash<HTMLHeadingElement>(name)
  return (
    <Card>
      <h2 ref={heading} className="scroll-mt-5">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={onToggle}
          className="flex w-full items-center gap-3.5 rounded-xl px-5 py-3.5 text-left focus-visible:-outline-offset-2"
        >
          <span
            className={clsx(
              'grid size-7 shrink-0 place-items-center rounded-full font-semibold text-sm',
              isComplete ? 'bg-series-1 text-surface' : 'border border-line-strong text-soft',
            )}
          >
            {isComplete ? <Check aria-hidden className="size-4" /> : STEP_NAMES.indexOf(name) + 1}
          </span>
          <span className="min-w-0 flex-1">
            <span className="sr-only">{isComplete ? 'Complete: ' : 'Pending: '}</span>
            <span className={clsx('block text-section', isComplete && !isOpen && 'text-soft')}>
              {STEP_TITLES[name]}
            </span>
            <span className="wrap-anywhere block text-pretty font-normal text-faint text-sm">{summary}</span>
          </span>
          <ChevronDown
            aria-hidden
            className={clsx('size-4 shrink-0 text-faint transition-transform', isOpen && 'rotate-180')}
          />
        </button>
      </h2>
      {/* Stays in the page, so that what was typed or created is still there when the step opens again. */}
      <div id={bodyId} hidden={!isOpen} className="border-line border-t px-5 py-5">
        <div className="flex min-w-0 flex-col gap-4">{children}</div>
      </div>
    </Card>
  )
}

/** The text of a step without code, and what to do. */
export const StepAction = ({ action, children }: { action: ReactNode; children: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
    <p className="min-w-0 flex-1 basis-56 text-pretty text-soft">{children}</p>
    {action}
  </div>
)
