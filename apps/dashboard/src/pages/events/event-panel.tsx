import { Link } from '@tanstack/react-router'
import type { TrackingEventRow } from '@tributary/contract'
import { FlaskConical, UserRound } from 'lucide-react'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { buttonClass } from '~/components/controls/button.tsx'
import { FactList } from '~/components/facts/fact-list.tsx'
import { Drawer } from '~/components/overlays/dialog.tsx'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { CustomerTimeline } from '../customers/customer-timeline.tsx'
import { ExplainLink } from '../explain/explain-link.tsx'
import { eventFacts } from './event-facts.tsx'
import { EventKind } from './event-kind.tsx'

type Props = { event: TrackingEventRow | null; onClose: () => void }

export const EventPanel = ({ event, onClose }: Props) => (
  <Drawer open={event !== null} onOpenChange={(open) => !open && onClose()} title="Event">
    {event && (
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <EventKind event={event} />
          {!event.test && <RelatedLinks event={event} />}
        </div>
        {event.test && (
          <p className="flex gap-2 rounded-lg bg-warn-soft px-3.5 py-2.5 text-sm text-warn-ink [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0">
            <FlaskConical aria-hidden /> Test event. It doesn’t affect customers, counts or commissions.
          </p>
        )}
        <FactList facts={eventFacts(event)} />
        {!event.test && event.clickId !== null && <SameCustomer clickId={event.clickId} />}
      </div>
    )}
  </Drawer>
)

const RelatedLinks = ({ event: { eventType, id, clickId } }: { event: TrackingEventRow }) => {
  const { program } = useProgram()
  return (
    <p className="flex gap-2">
      {eventType === 'sale' && <ExplainLink of={{ saleId: id }} look="button" />}
      {eventType === 'lead' && <ExplainLink of={{ leadId: id }} look="button" />}
      {clickId !== null && (
        <Link
          to="/programs/$programId/sales/customers/$customerId"
          params={{ programId: String(program.id), customerId: clickId }}
          className={buttonClass()}
        >
          <UserRound aria-hidden /> Customer
        </Link>
      )}
    </p>
  )
}

const SHOWN = 8

const SameCustomer = ({ clickId }: { clickId: string }) => {
  const { program } = useProgram()
  const input = { programId: program.id, customerId: clickId }
  const customer = useCall('get /api/programs/{programId}/customers/{customerId}', input)
  return (
    <section className="border-line border-t pt-4">
      <h3 className="mb-3 font-medium text-sm">Customer timeline</h3>
      <QueryView query={customer} loading={<SkeletonRows rows={3} />}>
        {({ timeline }) => <CustomerTimeline timeline={timeline} shown={SHOWN} />}
      </QueryView>
    </section>
  )
}
