import { Field, Select } from '~/components/controls/field.tsx'
import { SearchBox } from '~/components/controls/search-box.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import { DateRange } from '~/components/dates/date-range.tsx'
import { formatCountry } from '~/components/format/format.ts'
import { FilterChip, FilterMenu } from '~/components/lists/filter-menu.tsx'
import { PartnerPicker } from '../partners/partner-picker.tsx'
import type { EventsSearch } from './events.tsx'

const KINDS = [
  { value: '', label: 'All' },
  { value: 'click', label: 'Clicks' },
  { value: 'lead', label: 'Leads' },
  { value: 'sale', label: 'Sales' },
]

type Change = (change: Partial<EventsSearch>) => void
type Props = {
  search: EventsSearch /** The `aff` value of the filtered link. */
  aff: string | null | undefined
  onChange: Change
  onClear: () => void
}

export const EventFilters = ({ search, aff, onChange, onClear }: Props) => {
  const { page: _page, sort: _sort, eventType, search: text, ...others } = search
  return (
    <>
      <SearchBox
        label="Search by click ID, customer key or invoice"
        placeholder="Click ID, customer, invoice"
        value={text ?? ''}
        isExact
        onSearch={(found) => onChange({ search: found || undefined })}
      />
      <Segmented
        label="Event type"
        value={eventType ?? ''}
        options={KINDS}
        onChange={(kind) => onChange({ eventType: kind || undefined })}
      />
      <FilterMenu count={Object.values(others).filter(Boolean).length} onClear={onClear}>
        <MoreFilters search={search} onChange={onChange} />
      </FilterMenu>
      {search.linkId && (
        <FilterChip label={`Link code ${aff ?? search.linkId}`} onRemove={() => onChange({ linkId: undefined })} />
      )}
      {search.country && (
        <FilterChip label={formatCountry(search.country)} onRemove={() => onChange({ country: undefined })} />
      )}
    </>
  )
}

const MoreFilters = ({ search, onChange }: { search: EventsSearch; onChange: Change }) => {
  return (
    <>
      <Field label="Partner">
        {(wiring) => (
          <PartnerPicker
            withArchived
            {...wiring}
            none="All partners"
            value={search.partnerId}
            onChange={(partnerId) => onChange({ partnerId })}
          />
        )}
      </Field>
      <Field label="Test events">
        {(wiring) => (
          <Select
            {...wiring}
            value={search.test ?? ''}
            onChange={(event) => onChange({ test: event.target.value || undefined })}
          >
            <option value="">Include test events</option>
            <option value="false">Exclude test events</option>
            <option value="true">Test events only</option>
          </Select>
        )}
      </Field>
      <DateRange
        from={search.dateFrom}
        to={search.dateTo}
        onChange={({ from, to }) => onChange({ dateFrom: from, dateTo: to })}
      />
    </>
  )
}
