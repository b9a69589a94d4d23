import type { TrackingStatus } from '@tributary/contract'
import { CircleCheck, FlaskConical, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSendTest } from '~/api/tracking.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/button.tsx'
import { FormError } from '~/components/form.tsx'
import { Ago } from '~/components/time.tsx'

type Props = {
  kind: 'click' | 'lead'
  events: TrackingStatus['statistics']['pageview']
  /** What to look at when an event of one's own site does not arrive. */
  checks: ReactNode[]
}

/** What came last, a button that sends the same call from here, and what to look at when nothing comes. */
export const Arrival = ({ kind, events, checks }: Props) => {
  const { program } = useProgram()
  const test = useSendTest(program.id, kind)
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-line bg-sunken px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p aria-live="polite" className="flex items-center gap-2 text-sm">
          {events.latestTestEvent ? (
            <>
              <CircleCheck aria-hidden className="size-4 shrink-0 text-good-ink" />
              <span>
                Test {kind} received <Ago at={events.latestTestEvent.createdAt} />
              </span>
            </>
          ) : (
            <>
              <LoaderCircle aria-hidden className="size-4 shrink-0 animate-spin text-faint" />
              <span className="text-soft">Waiting for a test {kind} …</span>
            </>
          )}
        </p>
        <Button busy={test.isPending} onClick={() => test.mutate()}>
          <FlaskConical aria-hidden /> Send a test {kind}
        </Button>
      </div>
      <FormError error={test.error} />
      <details className="group text-sm">
        <summary className="w-fit rounded text-soft underline decoration-line-strong underline-offset-3 hover:text-ink">
          It does not arrive?
        </summary>
        <ul className="mt-2 flex list-disc flex-col gap-1.5 pl-5 text-soft">
          {checks.map((check, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
            <li key={index}>{check}</li>
          ))}
        </ul>
      </details>
    </div>
  )
}

export const Code = ({ children }: { children: ReactNode }) => (
  <code className="rounded bg-sunken px-1 py-px font-mono text-[0.92em]">{children}</code>
)
