import type { SetUp, SetUpArrival } from '@tributary/contract'
import { clsx } from 'clsx'
import { CircleCheck } from 'lucide-react'
import { Card } from '~/components/card.tsx'
import { formatList } from '~/components/format/format.ts'

type Steps = SetUp['steps']

/** What to do next where a step is missing, in the order of the page. */
const MISSING: Record<keyof Steps, string> = {
  website: 'Set the website that links lead to.',
  reward: 'Set the reward, or partners earn nothing.',
  script: 'Put the script on your website and open a page with a test click.',
  signUps: 'Send a sign-up from your server, a test one is enough.',
  payments: 'Send a payment, a test one is enough.',
  partner: 'Add a partner and approve them.',
  link: 'Create a link for an approved partner.',
}
const NAMES: Record<keyof Steps, string> = {
  website: 'website',
  reward: 'reward',
  script: 'script',
  signUps: 'sign-ups',
  payments: 'payments',
  partner: 'first partner',
  link: 'first link',
}

const ORDER = Object.keys(MISSING) as (keyof Steps)[]

/** How far the set-up is, what is missing, and what to do next. */
export const Progress = ({ isDone, steps }: { isDone: boolean; steps: Steps }) => {
  const missing = ORDER.filter((name) => !steps[name].done)
  const [next] = missing
  return (
    <Card className="flex flex-col gap-2.5 px-5 py-4">
      <div className="flex items-center gap-4">
        <p aria-live="polite" className="whitespace-nowrap font-medium text-sm tabular-nums">
          {ORDER.length - missing.length} of {ORDER.length} complete
        </p>
        <div aria-hidden className="grid flex-1 grid-cols-7 gap-1.5">
          {ORDER.map((name) => (
            <span
              key={name}
              className={clsx('h-1.5 rounded-full transition-colors', steps[name].done ? 'bg-accent' : 'bg-line')}
            />
          ))}
        </div>
      </div>
      {isDone && <Complete steps={steps} />}
      {next && (
        <p className="text-pretty text-soft text-sm">
          <span className="font-medium text-ink">Next:</span> {MISSING[next]}
          {missing.length > 1 && ` After that: ${formatList(missing.slice(1).map((name) => NAMES[name]))}.`}
        </p>
      )}
    </Card>
  )
}

const wasTested = ({ received }: { received: SetUpArrival | null }) => received?.test === true

const Complete = ({ steps }: { steps: Steps }) => {
  const tested = (['script', 'signUps', 'payments'] as const).filter((name) => wasTested(steps[name]))
  return (
    <p className="flex items-start gap-2 text-pretty text-sm">
      <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-good-ink" />
      <span>
        <span className="font-medium">The set-up is complete.</span>{' '}
        <span className="text-soft">
          Clicks, sign-ups and payments have arrived from your side, and a partner has a link to share.
          {tested.length > 0 &&
            ` So far the ${formatList(tested.map((name) => NAMES[name]))} ${tested.length === 1 && tested[0] === 'script' ? 'step has' : 'steps have'} received test events only.`}
        </span>
      </span>
    </p>
  )
}
