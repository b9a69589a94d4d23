import type { Period } from '@tributary/contract'
import { useState } from 'react'
import { DateRange } from '../dates/date-range.tsx'
import { daysAgo } from '../format/time-zone.ts'
import { Segmented } from './segmented.tsx'

export type PeriodSearch = { period?: string | undefined; dateFrom?: string | undefined; dateTo?: string | undefined }

const OPTIONS: { value: Period | 'custom'; label: string }[] = [
  { value: 'today', label: 'Today' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
  { value: 'all', label: 'All time' },
  { value: 'custom', label: 'Custom' },
]

const DEFAULT: Period = '30d'

export type PeriodChoice = ReturnType<typeof periodQuery>

/** The API's period parameters: a preset that ends today, or custom dates. */
export const periodQuery = ({ period, dateFrom, dateTo }: PeriodSearch) =>
  dateFrom
    ? { dateFrom, dateTo }
    : { period: (OPTIONS.find(({ value }) => value === period)?.value as Period) ?? DEFAULT }

type Props = {
  search: PeriodSearch
  onChange: (search: PeriodSearch) => void
  /** Offers today, for screens that have hours. */
  hasToday?: boolean
}

export const PeriodPicker = ({ search, onChange, hasToday = false }: Props) => {
  const chosen = search.dateFrom ? 'custom' : (periodQuery(search).period ?? DEFAULT)
  const [isChoosing, setChoosing] = useState(false)
  const choose = (value: Period | 'custom') => {
    setChoosing(value === 'custom')
    onChange(
      value === 'custom'
        ? { period: undefined, dateFrom: daysAgo(13), dateTo: daysAgo(0) }
        : { period: value === DEFAULT ? undefined : value, dateFrom: undefined, dateTo: undefined },
    )
  }
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      {search.dateFrom && (
        <DateRange
          from={search.dateFrom}
          to={search.dateTo}
          required
          defaultOpen={isChoosing}
          onChange={({ from, to }) => onChange({ period: undefined, dateFrom: from, dateTo: from && to })}
        />
      )}
      <Segmented
        label="Period"
        value={chosen}
        options={OPTIONS.filter(({ value }) => value !== 'today' || hasToday)}
        onChange={choose}
      />
    </div>
  )
}
