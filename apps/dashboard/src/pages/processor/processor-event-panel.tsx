import { Link } from '@tanstack/react-router'
import type { ProcessorEvent } from '@tributary/contract'
import { UserRoundX } from 'lucide-react'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Badge, StateChip } from '~/components/badge.tsx'
import { buttonClass } from '~/components/controls/button.tsx'
import { type Fact, FactList } from '~/components/facts/fact-list.tsx'
import { Json } from '~/components/facts/json.tsx'
import { formatTime } from '~/components/format/format.ts'
import { Drawer } from '~/components/overlays/dialog.tsx'
import { RoleNote } from '~/components/role-note.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { ExplainLink } from '../explain/explain-link.tsx'
import { ProcessorLabel } from './processor-label.tsx'

type Props = { event: ProcessorEvent | null; onClose: () => void }

export const ProcessorEventPanel = ({ event, onClose }: Props) => (
  <Drawer open={event !== null} onOpenChange={(open) => !open && onClose()} title={event?.type ?? 'Event'}>
    {event && (
      <div className="flex flex-col gap-4">
        <div>
          <p className="flex gap-1.5">
            <StateChip state={event.fate} /> {event.test && <Badge tone="warn">Test mode</Badge>}
          </p>
          <p className="mt-2 text-pretty font-medium text-sm">{event.sentence}</p>
        </div>
        {event.redactedAt && <Redacted at={event.redactedAt} />}
        <RelatedLink event={event} />
        <FactList facts={eventFacts(event)} />
        <Raw event={event} />
      </div>
    )}
  </Drawer>
)

const Redacted = ({ at }: { at: string }) => (
  <p className="flex gap-2 rounded-lg bg-sunken px-3.5 py-2.5 text-sm text-soft [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0">
    <UserRoundX aria-hidden /> Personal data was erased from this event on {formatTime(at)}. Payment data is kept.
  </p>
)

const eventFacts = (event: ProcessorEvent): Fact[] => [
  { label: 'Processor', value: <ProcessorLabel name={event.processor} /> },
  { label: 'Reason', value: <code className="font-mono text-xs">{event.reason}</code> },
  { label: 'Event ID', value: event.id, copy: event.id },
  { label: 'Created', value: formatTime(event.createdAt) },
  { label: 'Received', value: formatTime(event.receivedAt) },
  ...(event.accountId ? [{ label: 'Account', value: event.accountId }] : []),
  ...(event.apiVersion ? [{ label: 'API version', value: event.apiVersion }] : []),
  ...(event.references.length > 0 ? [{ label: 'Payment', value: <References event={event} /> }] : []),
]

/** Links each payment reference to its explanation. */
const References = ({ event: { references } }: { event: ProcessorEvent }) => {
  const { program } = useProgram()
  return references.map((name) => (
    <Link
      key={name}
      to="/programs/$programId/sales/check-attribution"
      params={{ programId: String(program.id) }}
      search={{ name }}
      className="block w-fit rounded font-mono text-accent-ink text-xs leading-5 hover:underline"
    >
      {name}
    </Link>
  ))
}

const RelatedLink = ({ event: { saleId, programId, references } }: { event: ProcessorEvent }) => {
  const { program } = useProgram()
  const [name] = references
  if (saleId !== null)
    return (
      <p className="flex gap-2">
        <ExplainLink of={{ saleId }} look="button" {...(programId !== null && { programId })} />
      </p>
    )
  if (!name) return null
  return (
    <p>
      <Link
        to="/programs/$programId/sales/check-attribution"
        params={{ programId: String(program.id) }}
        search={{ name }}
        className={buttonClass()}
      >
        Check attribution
      </Link>
    </p>
  )
}

const RedactedForRole = () => {
  const { workspace } = useProgram()
  return (
    <div className="mt-2">
      <RoleNote>
        Personal data is redacted for your role ({workspace.role}). Owners and admins see the full event.
      </RoleNote>
    </div>
  )
}

const Raw = ({ event: { id: eventId, processor, scope } }: { event: ProcessorEvent }) => {
  const { program } = useProgram()
  // Processors without a scope have an empty one.
  const key = { programId: program.id, eventId, query: { processor, ...(scope && { scope }) } }
  const event = useCall('get /api/programs/{programId}/processor/events/{eventId}', key)
  return (
    <section>
      <h3 className="font-medium text-sm">Raw event</h3>
      <QueryView
        query={event}
        loading={
          <Loading className="mt-2">
            <Skeleton className="h-40 w-full" />
          </Loading>
        }
      >
        {({ raw, isRedacted }) => (
          <>
            {isRedacted && <RedactedForRole />}
            <Json label="Raw event" value={raw} />
          </>
        )}
      </QueryView>
    </section>
  )
}
