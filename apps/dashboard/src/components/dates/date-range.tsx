import { clsx } from 'clsx'
import { CalendarDays } from 'lucide-react'
import { useId, useState } from 'react'
import { CONTROL } from '../controls/field.tsx'
import { formatCalendarDate } from '../format/format.ts'
import { today } from '../format/time-zone.ts'
import { Calendar, type DayRange } from './calendar.tsx'
import { DateInput, UNREADABLE } from './date-input.tsx'
import { DatePopover } from './date-popover.tsx'
import { addDays, addMonths, firstOfMonth, formatDayRange, lastOfMonth } from './days.ts'

type Props = DayRange & {
  onChange: (range: DayRange) => void
  /** A start date must stay chosen. */
  required?: boolean
  defaultOpen?: boolean
}

const NO_DATES: DayRange = { from: undefined, to: undefined }
const PRESETS: { label: string; range: (day: string) => DayRange }[] = [
  { label: 'Today', range: (day) => ({ from: day, to: day }) },
  { label: 'Yesterday', range: (day) => ({ from: addDays(day, -1), to: addDays(day, -1) }) },
  { label: 'Last 7 days', range: (day) => ({ from: addDays(day, -6), to: day }) },
  { label: 'Last 30 days', range: (day) => ({ from: addDays(day, -29), to: day }) },
  { label: 'This month', range: (day) => ({ from: firstOfMonth(day), to: day }) },
  { label: 'Last month', range: (day) => lastMonth(addMonths(day, -1)) },
]
const lastMonth = (day: string) => ({ from: firstOfMonth(day), to: lastOfMonth(day) })

const isReversed = ({ from, to }: DayRange) => from !== undefined && to !== undefined && from > to

const describeRange = ({ from, to }: DayRange) => {
  if (isReversed({ from, to })) return 'Not a valid range'
  if (from && to) return formatDayRange(from, to)
  if (from) return `Since ${formatCalendarDate(from)}`
  return to ? `Until ${formatCalendarDate(to)}` : 'Any time'
}

/** Two optional days, from presets, a calendar or the keyboard. */
export const DateRange = ({ from, to, onChange, required = false, defaultOpen = false }: Props) => {
  const [isOpen, setOpen] = useState(defaultOpen)
  const apply = (range: DayRange) => {
    setOpen(false)
    onChange(range)
  }
  const text = describeRange({ from, to })
  return (
    <DatePopover
      label="Choose dates"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          aria-label={`Dates: ${text}`}
          className={clsx(CONTROL, 'flex h-8 w-fit! max-w-full cursor-pointer items-center gap-2 px-2.5')}
        >
          <CalendarDays aria-hidden className="size-4 shrink-0 text-faint" />
          <span className="truncate">{text}</span>
        </button>
      }
    >
      <div className="flex gap-4 max-sm:flex-col">
        <Presets range={{ from, to }} required={required} onPick={apply} />
        <div className="flex flex-col gap-3">
          <TypedRange range={{ from, to }} required={required} onChange={onChange} />
          <PickedRange key={`picked ${from} ${to}`} range={{ from, to }} onPick={apply} />
        </div>
      </div>
    </DatePopover>
  )
}

type PresetsProps = { range: DayRange; required: boolean; onPick: (range: DayRange) => void }

const Presets = ({ range, required, onPick }: PresetsProps) => {
  const all = [...PRESETS, ...(required ? [] : [{ label: 'Any time', range: () => NO_DATES }])]
  return (
    <ul className="flex gap-1 max-sm:max-w-66 max-sm:flex-wrap sm:w-32 sm:flex-col">
      {all.map((preset) => {
        const chosen = preset.range(today())
        const isChosen = chosen.from === range.from && chosen.to === range.to
        return (
          <li key={preset.label}>
            <button
              type="button"
              aria-pressed={isChosen}
              onClick={() => onPick(chosen)}
              className={clsx(
                'w-full cursor-pointer whitespace-nowrap rounded-md px-2 py-1.5 text-left text-sm hover:bg-hover',
                isChosen && 'bg-accent-soft text-accent-ink',
              )}
            >
              {preset.label}
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** The first day picked starts the range, the second ends it, in either order. */
const PickedRange = ({ range, onPick }: { range: DayRange; onPick: (range: DayRange) => void }) => {
  const [start, setStart] = useState<string | null>(null)
  const pick = (day: string) => {
    if (start === null) return setStart(day)
    onPick(day < start ? { from: day, to: start } : { from: start, to: day })
  }
  return (
    <>
      <Calendar range={start ? { from: start, to: undefined } : range} onPick={pick} />
      <p aria-live="polite" className="text-faint text-xs">
        {start ? `${formatCalendarDate(start)} is the start. Pick the last day.` : 'Pick the first and the last day.'}
      </p>
    </>
  )
}

type TypedProps = { range: DayRange; required: boolean; onChange: (range: DayRange) => void }
type Problem = 'unreadable' | 'reversed' | 'missing'
/** Typed values, until the applied range changes. */
type Draft = { range: DayRange; problem: Problem | null; applied: string }

const PROBLEMS: Record<Problem, string> = {
  unreadable: UNREADABLE,
  reversed: 'The start date must be on or before the end date.',
  missing: 'Enter a start date.',
}

const findProblem = (range: DayRange, required: boolean): Problem | null =>
  isReversed(range) ? 'reversed' : required && !range.from ? 'missing' : null

/** An invalid range is not applied: it shows an error, and the last valid range stays. */
const TypedRange = ({ range, required, onChange }: TypedProps) => {
  const noteId = useId()
  const applied = `${range.from} ${range.to}`
  const [draft, setDraft] = useState<Draft | null>(null)
  const { range: shown, problem } =
    draft?.applied === applied ? draft : { range, problem: findProblem(range, required) }
  const change = (next: DayRange) => {
    const found = findProblem(next, required)
    setDraft({ range: next, problem: found, applied })
    if (!found) onChange(next)
  }
  const wiring = {
    'aria-invalid': problem !== null || undefined,
    'aria-describedby': problem ? noteId : undefined,
    onUnreadable: () => setDraft({ range: shown, problem: 'unreadable', applied }),
  }
  return (
    <fieldset className="flex max-w-66 flex-wrap items-center gap-1.5">
      <legend className="sr-only">Date range</legend>
      <DateInput
        {...wiring}
        aria-label="From"
        value={shown.from}
        onCommit={(from) => change({ ...shown, from })}
        className="w-29 flex-1"
      />
      <span aria-hidden className="text-faint">
        –
      </span>
      <DateInput
        {...wiring}
        aria-label="To"
        value={shown.to}
        onCommit={(to) => change({ ...shown, to })}
        className="w-29 flex-1"
      />
      {problem && (
        <p id={noteId} role="alert" className="w-full text-bad-ink text-xs">
          {PROBLEMS[problem]}
        </p>
      )}
    </fieldset>
  )
}
