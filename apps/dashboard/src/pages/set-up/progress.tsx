import type { SetUpArrival } from '@tributary/contract'
import { clsx } from 'clsx'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { Card } from '~/components/card.tsx'
import { formatList } from '~/components/format/format.ts'
import { instance, isLocal } from '~/instance.ts'
import { isStepDone, openSteps, STEP_NAMES, type Steps } from './steps.ts'

export const Progress = ({ isDone, steps }: { isDone: boolean; steps: Steps }) => (
  <Card className="flex flex-col gap-2.5 px-5 py-4">
    <ProgressLine steps={steps} />
    {isDone && <Complete steps={steps} />}
    {isLocal(instance.baseUrl) && <LocalNote />}
  </Card>
)

export const ProgressLine = ({ steps }: { steps: Steps }) => (
  <div className="flex min-w-0 flex-1 items-center gap-4">
    <p aria-live="polite" className="whitespace-nowrap font-medium text-sm tabular-nums">
      {STEP_NAMES.length - openSteps(steps).length} of {STEP_NAMES.length} complete
    </p>
    <div aria-hidden className="grid flex-1 grid-cols-5 gap-1.5">
      {STEP_NAMES.map((name) => (
        <span
          key={name}
          className={clsx('h-1.5 rounded-full transition-colors', isStepDone(steps, name) ? 'bg-series-1' : 'bg-line')}
        />
      ))}
    </div>
  </div>
)

const LocalNote = () => (
  <p className="flex items-start gap-2 text-pretty text-sm text-warn-ink">
    <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
    <span className="wrap-anywhere">
      Only this computer can reach {instance.baseUrl}. Before you go live, set <code>BASE_URL</code> to a public HTTPS
      address.
    </span>
  </p>
)

const TESTED = { script: 'script', signUps: 'leads', payments: 'sales' } as const

const wasTested = ({ received }: { received: SetUpArrival | null }) => received?.test === true

const Complete = ({ steps }: { steps: Steps }) => {
  const tested = (['script', 'signUps', 'payments'] as const).filter((name) => wasTested(steps[name]))
  return (
    <p className="flex items-start gap-2 text-pretty text-sm">
      <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-good-ink" />
      <span>
        <span className="font-medium">
          {isLocal(instance.baseUrl) ? 'Everything works on this computer.' : 'Setup complete.'}
        </span>{' '}
        <span className="text-soft">
          Clicks, leads and sales are arriving, and a partner has a link to share.
          {tested.length > 0 && ` Only test events so far for: ${formatList(tested.map((name) => TESTED[name]))}.`}
        </span>
      </span>
    </p>
  )
}
