import type { WebhookEndpoint } from '@tributary/contract'
import { useState } from 'react'
import { Badge } from '~/components/badge.tsx'
import { Ago } from '~/components/format/time.tsx'
import { type Column, DataTable } from '~/components/lists/data-table.tsx'
import type { PhoneRow } from '~/components/lists/phone-rows.tsx'
import { DeleteEndpoint } from './delete-endpoint.tsx'
import { EditEndpoint } from './edit-endpoint.tsx'
import { type EndpointAction, EndpointMenu } from './endpoint-menu.tsx'
import { EndpointState, EndpointStatus } from './endpoint-status.tsx'
import { eventsLabel } from './event-groups.ts'
import { RotateSecret } from './rotate-secret.tsx'
import { TestEvent } from './test-event.tsx'
import { ToggleEndpoint } from './toggle-endpoint.tsx'

const FORMATS = { standard: null, slack: 'Slack', discord: 'Discord' }

const COLUMNS: Column<WebhookEndpoint>[] = [
  { header: 'Endpoint', cell: (endpoint) => <Address endpoint={endpoint} />, className: 'max-w-sm' },
  {
    header: 'Events',
    cell: ({ events }) => <span className="text-soft">{eventsLabel(events)}</span>,
    className: 'max-w-56',
  },
  { header: 'Status', cell: (endpoint) => <EndpointStatus endpoint={endpoint} /> },
]

const ON_PHONE: PhoneRow<WebhookEndpoint> = {
  name: ({ url }) => url,
  amount: ({ format }) => FORMATS[format] && <Badge>{FORMATS[format]}</Badge>,
  status: (endpoint) => <EndpointState endpoint={endpoint} />,
  date: ({ lastDeliveredAt }) => lastDeliveredAt && <Ago at={lastDeliveredAt} />,
}

/** At most 20, so there are no pages. */
export const EndpointsTable = ({ endpoints }: { endpoints: WebhookEndpoint[] }) => {
  const [current, setCurrent] = useState<{ endpoint: WebhookEndpoint; action: EndpointAction } | null>(null)
  const close = () => setCurrent(null)
  const of = (action: EndpointAction) => ({
    endpoint: current?.action === action ? current.endpoint : null,
    onClose: close,
  })
  return (
    <>
      <DataTable
        label="Webhook endpoints"
        columns={COLUMNS}
        phone={ON_PHONE}
        rows={endpoints}
        keyOf={({ id }) => id}
        onOpen={(endpoint) => setCurrent({ endpoint, action: 'edit' })}
        actions={(endpoint) => (
          <EndpointMenu endpoint={endpoint} onChoose={(action) => setCurrent({ endpoint, action })} />
        )}
      />
      {/* Rendered here, because a row's menu closes while its dialog is open. */}
      <EditEndpoint {...of('edit')} />
      <TestEvent {...of('test')} />
      <RotateSecret {...of('rotate')} />
      <ToggleEndpoint {...of('toggle')} />
      <DeleteEndpoint {...of('delete')} />
    </>
  )
}

const Address = ({ endpoint: { url, description, format } }: { endpoint: WebhookEndpoint }) => (
  <span className="block min-w-0">
    <span className="flex flex-wrap items-center gap-1.5">
      <span className="wrap-anywhere font-medium">{url}</span>
      {FORMATS[format] && <Badge>{FORMATS[format]}</Badge>}
      {url.startsWith('http:') && <Badge tone="warn">Not encrypted</Badge>}
    </span>
    {description && <span className="wrap-anywhere block font-normal text-faint text-xs">{description}</span>}
  </span>
)
