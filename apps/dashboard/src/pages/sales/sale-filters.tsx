import { SearchBox } from '~/components/controls/search-box.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import { DateRange } from '~/components/dates/date-range.tsx'
import { FilterMenu } from '~/components/lists/filter-menu.tsx'
import { PartnerFilter } from '../customers/partner-filter.tsx'
import type { SalesSearch } from './sales.tsx'

const STATES = [
  { value: '', label: 'All' },
  { value: 'credited', label: 'Credited' },
  { value: 'uncredited', label: 'Not credited' },
]

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
    <FilterMenu count={[search.partnerId, search.dateFrom, search.dateTo].filter(Boolean).length} onClear={onClear}>
      <PartnerFilter value={search.partnerId} onChange={(partnerId) => onChange({ partnerId })} />
      <DateRange
        from={search.dateFrom}
        to={search.dateTo}
        onChange={({ from, to }) => onChange({ dateFrom: from, dateTo: to })}
      />
    </FilterMenu>
  </>
)
