import type { TrackingEvent } from '@tributary/contract'
import { CopyButton } from '~/components/copy.tsx'
import { Drawer } from '~/components/dialog.tsx'
import { formatMoney, formatTime } from '~/components/format.ts'
import { EventKind } from './event-kind.tsx'

const LABELS: Record<string, string> = {
  pageUrl: 'Page',
  pageTitle: 'Page title',
  referrerUrl: 'Came from',
  sessionId: 'Session',
  screenResolution: 'Screen',
  viewportSize: 'Viewport',
  operatingSystem: 'System',
  settledBy: 'Settled by',
  settledAt: 'Settled at',
  invoiceId: 'Invoice',
  eventName: 'Event name',
  subscriptionId: 'Subscription',
  reused: 'Returning visitor',
  aff: 'aff',
}

const labelOf = (name: string) =>
  LABELS[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const shown = (value: unknown) => {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

type Entry = [label: string, value: string, copy?: boolean]

const entriesOf = (event: TrackingEvent, partner: string | null): Entry[] => {
  const { amountCents, currency, ...details } = event.details
  const known: (Entry | false)[] = [
    ['When', formatTime(event.timestamp)],
    typeof amountCents === 'number' && ['Amount', formatMoney(amountCents, String(currency))],
    partner !== null && ['Partner', partner],
    event.customerKey !== null && ['Customer', event.customerKey, true],
    event.clickId !== null && ['Click ID', event.clickId, true],
    event.linkId !== null && ['Link', String(event.linkId)],
    ['Event ID', event.id],
  ]
  const others = Object.entries(details)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]): Entry => [labelOf(name), shown(value)])
  return [...known.filter((entry) => entry !== false), ...others]
}

type Props = { event: TrackingEvent | null; partner: string | null; onClose: () => void }

/** Everything that is known of one event. */
export const EventPanel = ({ event, partner, onClose }: Props) => (
  <Drawer open={event !== null} onOpenChange={(open) => !open && onClose()} title="Event">
    {event && (
      <>
        <EventKind event={event} />
        <dl className="mt-4 divide-y divide-line text-sm">
          {entriesOf(event, partner).map(([label, value, copy]) => (
            <div key={label} className="grid grid-cols-[8.5rem_minmax(0,1fr)] items-start gap-3 py-2">
              <dt className="text-faint">{label}</dt>
              <dd className="flex items-start gap-1 break-all">
                <span className="flex-1">{value}</span>
                {copy && (
                  <span className="-my-1">
                    <CopyButton text={value} label={`Copy ${label}`} iconOnly />
                  </span>
                )}
              </dd>
            </div>
          ))}
        </dl>
      </>
    )}
  </Drawer>
)
