import { EVENT_REASONS, REASONS } from '@tributary/contract/reasons'
import { Field, Select } from '~/components/controls/field.tsx'
import { SearchBox } from '~/components/controls/search-box.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import { FilterMenu } from '~/components/lists/filter-menu.tsx'
import type { InboxSearch } from './events-received.tsx'

const OUTCOMES = [
  { value: '', label: 'All' },
  { value: 'applied', label: 'Applied' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'ignored', label: 'Ignored' },
  { value: 'refused', label: 'Rejected' },
]

/** The reasons that a processor event can end with. */
const PAYMENT_REASONS = [
  'payment_recorded',
  'payment_pending',
  'payment_settled',
  'payment_failed',
  'nothing_paid',
  'no_metadata',
  'program_of_others',
  'sale_in_other_program',
  'sale_other_currency',
  'references_joined',
  'refund_recorded',
  'refund_failed',
  'never_taken',
  'refund_before_sale',
  'refund_other_currency',
  'dispute_recorded',
  'dispute_before_sale',
] as const

const REASON_OPTIONS: [code: string, sentence: string][] = [
  ...PAYMENT_REASONS.map((code): [string, string] => [code, REASONS[code]]),
  ...Object.entries(EVENT_REASONS),
]

type Props = { search: InboxSearch; onChange: (change: Partial<InboxSearch>) => void; onClear: () => void }

export const InboxFilters = ({ search, onChange, onClear }: Props) => (
  <>
    <SearchBox
      label="Search by event type"
      placeholder="Event type"
      value={search.type ?? ''}
      onSearch={(type) => onChange({ type: type || undefined })}
    />
    <Segmented
      label="Status"
      value={search.fate ?? ''}
      options={OUTCOMES}
      onChange={(fate) => onChange({ fate: fate || undefined })}
    />
    <FilterMenu count={search.reason ? 1 : 0} onClear={onClear}>
      <Field label="Reason">
        {(wiring) => (
          <Select
            {...wiring}
            value={search.reason ?? ''}
            onChange={(event) => onChange({ reason: event.target.value || undefined })}
          >
            <option value="">Any reason</option>
            {REASON_OPTIONS.map(([code, sentence]) => (
              <option key={code} value={code}>
                {sentence}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </FilterMenu>
  </>
)
