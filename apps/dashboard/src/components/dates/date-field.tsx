import { CalendarDays } from 'lucide-react'
import { type ComponentProps, useId, useState } from 'react'
import { buttonClass } from '../controls/button.tsx'
import { Calendar } from './calendar.tsx'
import { DateInput, UNREADABLE } from './date-input.tsx'
import { DatePopover } from './date-popover.tsx'

type Props = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'max'> & {
  value: string
  max?: string
  onChange: (day: string) => void
}

/** One day: typed, or picked from a calendar. */
export const DateField = ({ value, max, onChange, disabled, ...rest }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const [isUnreadable, setUnreadable] = useState(false)
  const noteId = useId()
  const change = (next: string) => {
    setUnreadable(false)
    onChange(next)
  }
  const day = value || undefined
  return (
    <span className="relative block">
      <DateInput
        {...rest}
        {...(isUnreadable && { 'aria-invalid': true, 'aria-describedby': noteId })}
        disabled={disabled}
        value={day}
        onCommit={(next) => change(next ?? '')}
        onUnreadable={() => setUnreadable(true)}
        className="pr-9"
      />
      <DatePopover
        label="Choose a date"
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <button
            type="button"
            aria-label="Choose a date"
            disabled={disabled}
            className={buttonClass({ look: 'quiet', size: 'icon' }, 'absolute top-0.5 right-0.5 size-7')}
          >
            <CalendarDays aria-hidden />
          </button>
        }
      >
        <Calendar
          range={{ from: day, to: day }}
          max={max}
          onPick={(picked) => {
            setOpen(false)
            change(picked)
          }}
        />
      </DatePopover>
      {isUnreadable && (
        <span id={noteId} role="alert" className="mt-1.5 block text-bad-ink text-xs">
          {UNREADABLE}
        </span>
      )}
    </span>
  )
}
