import type { WebhookEndpoint } from '@tributary/contract'
import { PUBLISHED_EVENT_TYPES } from '@tributary/contract/event-types'
import { Select } from '~/components/controls/field.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import type { DeliveriesSearch } from './deliveries.tsx'

const STATES = [
  { value: '', label: 'All' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'pending', label: 'Pending' },
  { value: 'failed', label: 'Failed' },
]

type Props = {
  endpoints: WebhookEndpoint[]
  search: DeliveriesSearch
  onChange: (change: Partial<DeliveriesSearch>) => void
}

export const DeliveryFilters = ({ endpoints, search, onChange }: Props) => (
  <>
    <Segmented
      label="Status"
      value={search.state ?? ''}
      options={STATES}
      onChange={(state) => onChange({ state: state || undefined })}
    />
    <Select
      aria-label="Endpoint"
      className="w-full sm:w-56"
      value={search.endpointId ?? ''}
      onChange={(event) => onChange({ endpointId: event.target.value || undefined })}
    >
      <option value="">All endpoints</option>
      {endpoints.map(({ id, url }) => (
        <option key={id} value={id}>
          {url}
        </option>
      ))}
    </Select>
    <Select
      aria-label="Event type"
      className="w-full sm:w-48"
      value={search.type ?? ''}
      onChange={(event) => onChange({ type: event.target.value || undefined })}
    >
      <option value="">All types</option>
      {PUBLISHED_EVENT_TYPES.map((type) => (
        <option key={type} value={type}>
          {type}
        </option>
      ))}
    </Select>
  </>
)
