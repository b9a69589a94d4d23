import type { ProgramProcessor } from '@tributary/contract'
import { CircleCheck, CircleDashed, Rss } from 'lucide-react'
import { CopyButton } from '~/components/copy.tsx'
import { Disclosure } from '~/components/disclosure.tsx'
import { formatNumber } from '~/components/format/format.ts'
import { Ago } from '~/components/format/time.tsx'

type Events = ProgramProcessor['eventTypes']

/** The events to subscribe to. Subscribed and seen are two marks: an old event does not prove that the endpoint still gets them. */
export const SubscribedEvents = ({ events }: { events: Events }) => {
  const subscribed = events.filter((event) => event.subscribed).length
  const [all, some] = [formatNumber(events.length), formatNumber(subscribed)]
  return (
    <Disclosure label={`${all} events to subscribe to${subscribed > 0 ? `, ${some} confirmed so far` : ''}`}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-faint text-xs">
          An event confirms its subscription when it arrives. Some, such as disputes, may never occur.
        </p>
        <CopyButton text={events.map(({ type }) => type).join('\n')} label="Copy list" look="secondary" />
      </div>
      <ul aria-label="Events to subscribe to" className="text-sm">
        {events.map((event) => (
          <EventType key={event.type} event={event} />
        ))}
      </ul>
    </Disclosure>
  )
}

const EventType = ({ event: { type, subscribed, lastSeenAt } }: { event: Events[number] }) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-0.5 border-line border-b py-1.5">
    <code className="wrap-anywhere min-w-0 basis-full font-mono text-xs sm:flex-1 sm:basis-0">{type}</code>
    <Mark isSet={subscribed} icon={<Rss aria-hidden />}>
      {subscribed ? 'Subscribed' : 'Not confirmed'}
    </Mark>
    <Mark isSet={lastSeenAt !== null} icon={lastSeenAt ? <CircleCheck aria-hidden /> : <CircleDashed aria-hidden />}>
      {lastSeenAt ? (
        <>
          Seen <Ago at={lastSeenAt} />
        </>
      ) : (
        'Not seen'
      )}
    </Mark>
  </li>
)

type MarkProps = { isSet: boolean; icon: React.ReactNode; children: React.ReactNode }

const Mark = ({ isSet, icon, children }: MarkProps) => (
  <span className="flex items-center gap-1 whitespace-nowrap text-soft text-xs">
    <span className={isSet ? 'text-good-ink [&_svg]:size-3.5' : 'text-faint [&_svg]:size-3.5'}>{icon}</span>
    {children}
  </span>
)
