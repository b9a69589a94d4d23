import { Select } from '~/components/controls/field.tsx'
import { SearchBox } from '~/components/controls/search-box.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import { DateRange } from '~/components/dates/date-range.tsx'
import { FilterChip, FilterMenu } from '~/components/lists/filter-menu.tsx'
import { PartnerFilter } from '../customers/partner-filter.tsx'
import { CREDIT_SOURCE_LABELS } from './credit-source.ts'
import type { SalesSearch } from './sales.tsx'

const STATES = [
  { value: '', label: 'All' },
  { value: 'credited', label: 'Credited' },
  { value: 'uncredited', label: 'Not credited' },
]

const EVIDENCE = [
  { value: 'ad_click', label: 'Click from an ad' },
  { value: 'data_center', label: 'Click from a data center' },
  { value: 'same_destination', label: 'Shared payout destination' },
]

const TIMES = [
  { value: '10', label: 'Within 10 seconds of the click' },
  { value: '60', label: 'Within a minute of the click' },
  { value: '600', label: 'Within 10 minutes of the click' },
  { value: '3600', label: 'Within an hour of the click' },
]

/** An address can have another number of seconds. */
const timesWith = (seconds: string | undefined) =>
  !seconds || TIMES.some(({ value }) => value === seconds)
    ? TIMES
    : [...TIMES, { value: seconds, label: `Within ${seconds} seconds of the click` }]

type Props = { search: SalesSearch; onChange: (change: Partial<SalesSearch>) => void; onClear: () => void }

export const SaleFilters = ({ search, onChange, onClear }: Props) => (
  <>
    <SearchBox
      label="Search sales"
      placeholder="Invoice, customer, partner"
      value={search.search ?? ''}
      onSearch={(text) => onChange({ search: text || undefined })}
    />
    <Segmented
      label="Credit"
      value={search.state ?? ''}
      options={STATES}
      onChange={(state) => onChange({ state: state || undefined })}
    />
    <FilterMenu
      count={
        [
          search.creditedBy,
          search.partnerId,
          search.evidence,
          search.withinSeconds,
          search.dateFrom,
          search.dateTo,
        ].filter(Boolean).length
      }
      onClear={onClear}
    >
      <Choice
        label="Credited by"
        none="Credited by anything"
        value={search.creditedBy}
        options={Object.entries(CREDIT_SOURCE_LABELS).map(([value, label]) => ({ value, label }))}
        onChange={(creditedBy) => onChange({ creditedBy })}
      />
      <PartnerFilter value={search.partnerId} onChange={(partnerId) => onChange({ partnerId })} />
      <Choice
        label="Evidence"
        none="Any evidence"
        value={search.evidence}
        options={EVIDENCE}
        onChange={(evidence) => onChange({ evidence })}
      />
      <Choice
        label="Time since the click"
        none="Any time since the click"
        value={search.withinSeconds}
        options={timesWith(search.withinSeconds)}
        onChange={(withinSeconds) => onChange({ withinSeconds })}
      />
      <DateRange
        from={search.dateFrom}
        to={search.dateTo}
        onChange={({ from, to }) => onChange({ dateFrom: from, dateTo: to })}
      />
    </FilterMenu>
    {search.codeId && <FilterChip label="One code" onRemove={() => onChange({ codeId: undefined })} />}
  </>
)

type ChoiceProps = {
  label: string
  none: string
  value: string | undefined
  options: { value: string; label: string }[]
  onChange: (value: string | undefined) => void
}

const Choice = ({ label, none, value, options, onChange }: ChoiceProps) => (
  <Select
    aria-label={label}
    className="w-full sm:w-60"
    value={value ?? ''}
    onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
  >
    <option value="">{none}</option>
    {options.map((option) => (
      <option key={option.value} value={option.value}>
        {option.label}
      </option>
    ))}
  </Select>
)
