import { type ComponentProps, useState } from 'react'
import { Input } from '../controls/field.tsx'
import { formatCalendarDate } from '../format/format.ts'
import { parseDay } from './days.ts'

type Props = Omit<ComponentProps<'input'>, 'value' | 'onChange'> & {
  value: string | undefined
  /** Called with a valid day, or undefined if the field was emptied. */
  onCommit: (day: string | undefined) => void
  onUnreadable?: () => void
}

/** A typed date. It applies on Enter or when the field loses focus. */
export const DateInput = ({ value, onCommit, onUnreadable, ...rest }: Props) => {
  const [text, setText] = useState<string | null>(null)
  const commit = () => {
    if (text === null) return
    const day = text.trim() === '' ? undefined : parseDay(text)
    if (day === null) return onUnreadable?.()
    setText(null)
    onCommit(day)
  }
  return (
    <Input
      placeholder="YYYY-MM-DD"
      autoComplete="off"
      {...rest}
      value={text ?? (value ? formatCalendarDate(value) : '')}
      onChange={(event) => setText(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        commit()
      }}
    />
  )
}

export const UNREADABLE = 'Enter a date such as 2026-03-14.'
