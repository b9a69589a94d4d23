import type { SetUpArrival } from '@tributary/contract'
import { clsx } from 'clsx'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { Card } from '~/components/card.tsx'
import { formatList } from '~/components/format/format.ts'
import { instance, isLocal } from '~/instance.ts'
import { STEP_NAMES, type StepName, type Steps } from './step-card.tsx'

/** The instruction for each missing step. */
const MISSING: Record<Exclude<StepName, 'payments'>, string> = {
  website: 'Add the website that links point to.',
  reward: 'Set a reward so partners can earn.',
  script: 'Install the script on your website, then open a page with a test click.',
  signUps: 'Send a lead from your server. A test lead is enough.',
  partner: 'Add and approve a partner.',
  link: 'Create a link for an approved partner.',
}
const missingSales = ({ mode, received }: Steps['payments']) => {
  if (received) return 'Connect Stripe. Sales arrived earlier, but new ones won’t while it is not connected.'
  return mode === 's2s'
    ? 'Send a sale from your server. A test sale is enough.'
    : 'Connect Stripe, then pay through your checkout. A test payment is enough.'
}

const NAMES: Record<StepName, string> = {
  website: 'website',
  reward: 'reward',
  script: 'script',
  signUps: 'leads',
  payments: 'sales',
  partner: 'first partner',
  link: 'first link',
}

export const Progress = ({ isDone, steps }: { isDone: boolean; steps: Steps }) => {
  const missing = STEP_NAMES.filter((name) => !steps[name].done)
  const [next] = missing
  return (
    <Card className="flex flex-col gap-2.5 px-5 py-4">
      <div className="flex items-center gap-4">
        <p aria-live="polite" className="whitespace-nowrap font-medium text-sm tabular-nums">
          {STEP_NAMES.length - missing.length} of {STEP_NAMES.length} complete
        </p>
        <div aria-hidden className="grid flex-1 grid-cols-7 gap-1.5">
          {STEP_NAMES.map((name) => (
            <span
              key={name}
              className={clsx('h-1.5 rounded-full transition-colors', steps[name].done ? 'bg-accent' : 'bg-line')}
            />
          ))}
        </div>
      </div>
      {isDone && <Complete steps={steps} />}
      {isLocal(instance.baseUrl) && <LocalNote />}
      {next && (
        <p className="text-pretty text-soft text-sm">
          <span className="font-medium text-ink">Next:</span>{' '}
          {next === 'payments' ? missingSales(steps.payments) : MISSING[next]}
          {missing.length > 1 && ` Then: ${formatList(missing.slice(1).map((name) => NAMES[name]))}.`}
        </p>
      )}
    </Card>
  )
}

const LocalNote = () => (
  <p className="flex items-start gap-2 text-pretty text-sm text-warn-ink">
    <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
    <span className="wrap-anywhere">
      Only this computer can reach {instance.baseUrl}. Before you go live, set <code>BASE_URL</code> to a public HTTPS
      address.
    </span>
  </p>
)

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
          {tested.length > 0 && ` Only test events so far for: ${formatList(tested.map((name) => NAMES[name]))}.`}
        </span>
      </span>
    </p>
  )
}
