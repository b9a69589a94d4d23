import { X } from 'lucide-react'
import { Button } from '~/components/button.tsx'
import { DateRange } from '~/components/date-range.tsx'
import { Segmented } from '~/components/segmented.tsx'
import type { EventsSearch } from './events.tsx'

const KINDS = [
  { value: '', label: 'All' },
  { value: 'click', label: 'Clicks' },
  { value: 'lead', label: 'Leads' },
  { value: 'sale', label: 'Sales' },
]

type Props = { search: EventsSearch; onChange: (change: Partial<EventsSearch>) => void }

export const EventFilters = ({ search, onChange }: Props) => {
  const { eventType = '', dateFrom, dateTo } = search
  return (
    <>
      <Segmented
        label="Kind of event"
        value={eventType}
        options={KINDS}
        onChange={(kind) => onChange({ eventType: kind || undefined })}
      />
      <DateRange
        from={dateFrom}
        to={dateTo}
        onChange={(range) => onChange({ dateFrom: range.from, dateTo: range.to })}
      />
      {(eventType || dateFrom || dateTo) && (
        <Button
          look="quiet"
          size="small"
          onClick={() => onChange({ eventType: undefined, dateFrom: undefined, dateTo: undefined })}
        >
          <X aria-hidden /> Clear
        </Button>
      )}
    </>
  )
}
