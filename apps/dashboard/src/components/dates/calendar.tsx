import { clsx } from 'clsx'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { buttonClass } from '../controls/button.tsx'
import { today } from '../format/time-zone.ts'
import { addDays, addMonths, daysIntoWeek, formatFullDay, formatMonth, formatWeekday, weeksOf } from './days.ts'

export type DayRange = { from: string | undefined; to: string | undefined }

type Props = { range: DayRange; max?: string | undefined; onPick: (day: string) => void }

/** Moves by the WAI-ARIA date picker pattern; Shift with Page Up or Page Down moves by a year. */
const targetOf = ({ key, shiftKey }: KeyboardEvent, day: string) => {
  const months = shiftKey ? 12 : 1
  const moves: Record<string, () => string> = {
    ArrowLeft: () => addDays(day, -1),
    ArrowRight: () => addDays(day, 1),
    ArrowUp: () => addDays(day, -7),
    ArrowDown: () => addDays(day, 7),
    Home: () => addDays(day, -daysIntoWeek(day)),
    End: () => addDays(day, 6 - daysIntoWeek(day)),
    PageUp: () => addMonths(day, -months),
    PageDown: () => addMonths(day, months),
  }
  return moves[key]?.()
}

/** One month of days. Only the day under the cursor is in the tab order. */
export const Calendar = ({ range, max, onPick }: Props) => {
  const [cursor, setCursor] = useState(range.to ?? range.from ?? today())
  const grid = useRef<HTMLTableElement>(null)
  const isKeyboardMove = useRef(false)
  const headingId = useId()
  useEffect(() => {
    if (!isKeyboardMove.current) return
    isKeyboardMove.current = false
    grid.current?.querySelector<HTMLElement>(`[data-day="${cursor}"]`)?.focus()
  }, [cursor])
  const move = (event: KeyboardEvent) => {
    const target = targetOf(event, cursor)
    if (!target) return
    event.preventDefault()
    if (max !== undefined && target > max) return
    isKeyboardMove.current = true
    setCursor(target)
  }
  const weeks = weeksOf(cursor)
  return (
    <div className="flex w-66 flex-col gap-2">
      <MonthHeading id={headingId} cursor={cursor} onMove={(months) => setCursor(addMonths(cursor, months))} />
      <table
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the WAI-ARIA date picker is a table with this role.
        role="grid"
        aria-labelledby={headingId}
        onKeyDown={move}
        className="table-fixed border-collapse"
      >
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th
                key={day}
                scope="col"
                abbr={formatWeekday(day, 'long')}
                className="h-7 font-normal text-faint text-xs"
              >
                {formatWeekday(day, 'short')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <Day
                  key={day}
                  day={day}
                  cursor={cursor}
                  range={range}
                  isDisabled={max !== undefined && day > max}
                  onPick={onPick}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type MonthHeadingProps = { id: string; cursor: string; onMove: (months: number) => void }

const MonthHeading = ({ id, cursor, onMove }: MonthHeadingProps) => (
  <div className="flex items-center justify-between">
    <MonthButton label="Previous month" onPress={() => onMove(-1)}>
      <ChevronLeft aria-hidden />
    </MonthButton>
    <p id={id} aria-live="polite" className="font-medium text-sm">
      {formatMonth(cursor)}
    </p>
    <MonthButton label="Next month" onPress={() => onMove(1)}>
      <ChevronRight aria-hidden />
    </MonthButton>
  </div>
)

type MonthButtonProps = { label: string; onPress: () => void; children: React.ReactNode }

const MonthButton = ({ label, onPress, children }: MonthButtonProps) => (
  <button
    type="button"
    aria-label={label}
    onClick={onPress}
    className={buttonClass({ look: 'quiet', size: 'icon' }, 'size-8')}
  >
    {children}
  </button>
)

type DayProps = { day: string; cursor: string; range: DayRange; isDisabled: boolean; onPick: (day: string) => void }

const Day = ({ day, cursor, range: { from, to }, isDisabled, onPick }: DayProps) => {
  const isEnd = day === from || day === to
  const isBetween = from !== undefined && to !== undefined && day > from && day < to
  const isOtherMonth = day.slice(0, 7) !== cursor.slice(0, 7)
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a cell of a grid is a gridcell, which can be selected.
    <td
      aria-selected={isEnd || isBetween}
      className={clsx(
        'p-0 text-center',
        (isBetween || (isEnd && from !== to && from && to)) && 'bg-accent-soft',
        day === from && 'rounded-l-md',
        day === to && 'rounded-r-md',
      )}
    >
      <button
        type="button"
        data-day={day}
        tabIndex={day === cursor ? 0 : -1}
        disabled={isDisabled}
        aria-label={formatFullDay(day)}
        aria-current={day === today() ? 'date' : undefined}
        onClick={() => onPick(day)}
        className={clsx(
          'h-8 w-full cursor-pointer rounded-md text-sm tabular-nums disabled:cursor-not-allowed disabled:opacity-40',
          isEnd ? 'bg-accent text-on-accent' : isOtherMonth ? 'text-faint hover:bg-hover' : 'hover:bg-hover',
          day === today() && !isEnd && 'font-semibold text-accent-ink',
        )}
      >
        {Number(day.slice(8))}
      </button>
    </td>
  )
}
