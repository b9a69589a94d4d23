import type { SetUp } from '@tributary/contract'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { CopyButton } from '~/components/copy.tsx'
import { formatNumber } from '~/components/format/format.ts'
import { Ago } from '~/components/format/time.tsx'
import { Disclosure } from './troubleshooting.tsx'

type Props = { events: SetUp['steps']['payments']['events'] }

/** The events the endpoint needs, as listed by the service, and which have arrived. */
export const ProcessorEvents = ({ events }: Props) => {
  const seen = events.filter(({ lastReceivedAt }) => lastReceivedAt !== null).length
  return (
    <Disclosure label={`${formatNumber(events.length)} events to subscribe to, ${formatNumber(seen)} received so far`}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-faint text-xs">Counted in this workspace. Some, such as disputes, may never occur.</p>
        <CopyButton text={events.map(({ type }) => type).join('\n')} label="Copy list" look="secondary" />
      </div>
      <ul aria-label="Events to subscribe to" className="grid gap-x-6 text-sm sm:grid-cols-2">
        {events.map(({ type, lastReceivedAt }) => (
          <li key={type} className="flex min-w-0 items-center gap-2 border-line border-b py-1.5">
            {lastReceivedAt ? (
              <CircleCheck aria-hidden className="size-4 shrink-0 text-good-ink" />
            ) : (
              <CircleDashed aria-hidden className="size-4 shrink-0 text-faint" />
            )}
            <code className="min-w-0 flex-1 break-all font-mono text-xs">{type}</code>
            <span className="text-faint text-xs">{lastReceivedAt ? <Ago at={lastReceivedAt} /> : 'Not yet'}</span>
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}
