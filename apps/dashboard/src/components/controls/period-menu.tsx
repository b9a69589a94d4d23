import type { Period } from '@tributary/contract'
import { Check, ChevronDown } from 'lucide-react'
import { Popover as Radix } from 'radix-ui'
import { useState } from 'react'
import { DateRange } from '../dates/date-range.tsx'
import { daysAgo, formatClock, zoneName } from '../format/time-zone.ts'
import { buttonClass } from './button.tsx'
import { Switch } from './switch.tsx'

export type PeriodSearch = { period?: string | undefined; dateFrom?: string | undefined; dateTo?: string | undefined }
export type CompareSearch = PeriodSearch & { compare?: string | undefined }

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

/** The period, and the previous one if the reader compares with it. */
export const comparedQuery = (search: CompareSearch) => ({
  ...periodQuery(search),
  ...(search.compare === 'previous' && { compare: 'previous' }),
})

type Props = {
  search: CompareSearch
  onChange: (search: CompareSearch) => void
  timeZone: string
  /** Reports about many events are kept for some minutes. */
  report?: { kept: boolean; asOf: string } | undefined
  /** What the figures compare with; empty without a previous period. */
  comparedWith?: string
  /** Whether the page can draw the previous period. */
  mayCompare?: boolean
}

/** Chooses the period, and says how to read it: time zone, age and comparison. */
export const PeriodMenu = ({ search, onChange, ...facts }: Props) => {
  const chosen = search.dateFrom ? 'custom' : (periodQuery(search).period ?? DEFAULT)
  const [isChoosing, setChoosing] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const choose = (value: Period | 'custom') => {
    setOpen(false)
    setChoosing(value === 'custom')
    onChange(
      value === 'custom'
        ? { period: undefined, dateFrom: daysAgo(13), dateTo: daysAgo(0) }
        : { period: value === DEFAULT ? undefined : value, dateFrom: undefined, dateTo: undefined },
    )
  }
  const label = OPTIONS.find(({ value }) => value === chosen)?.label
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
      <Radix.Root open={isOpen} onOpenChange={setOpen}>
        <Radix.Trigger aria-label={`Period: ${label}`} className={buttonClass()}>
          {label} <ChevronDown aria-hidden />
        </Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            align="end"
            sideOffset={6}
            collisionPadding={12}
            aria-label="Period"
            className="z-50 w-72 max-w-[calc(100vw-1.5rem)] animate-enter rounded-xl border border-line bg-surface p-1 shadow-over focus:outline-none"
          >
            {OPTIONS.map((option) => (
              <button
                key={option.value}
                type="button"
                aria-pressed={option.value === chosen}
                onClick={() => choose(option.value)}
                className="flex w-full items-center justify-between rounded-md px-3 py-1.5 text-left text-sm hover:bg-hover focus-visible:-outline-offset-2"
              >
                {option.label}
                {option.value === chosen && <Check aria-hidden className="size-4 text-faint" />}
              </button>
            ))}
            <Facts {...facts} search={search} onChange={onChange} />
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </div>
  )
}

const Facts = ({ search, onChange, timeZone, report, comparedWith, mayCompare = false }: Props) => (
  <div className="mt-1 flex flex-col gap-2 border-line border-t px-3 py-3 text-faint text-xs">
    {mayCompare && (
      <Switch
        label="Show previous period"
        checked={search.compare === 'previous'}
        onChange={(checked) => onChange({ compare: checked ? 'previous' : undefined })}
      />
    )}
    {comparedWith && <p>Compared with {comparedWith}.</p>}
    <p>
      Times are in {zoneName(timeZone)}.
      {report?.kept && (
        <>
          {' '}
          As of <time dateTime={report.asOf}>{formatClock(report.asOf)}</time>.
        </>
      )}
    </p>
  </div>
)
