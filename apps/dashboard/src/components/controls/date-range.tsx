import { useId, useState } from 'react'
import { Input } from './field.tsx'

type Range = { from: string | undefined; to: string | undefined }

const isReversed = ({ from, to }: Range) => from !== undefined && to !== undefined && from > to

/** Two optional dates. A reversed range is not applied: it shows an error, and the last valid range stays. */
export const DateRange = ({ from, to, onChange }: Range & { onChange: (range: Range) => void }) => {
  const noteId = useId()
  const applied = `${from} ${to}`
  const [draft, setDraft] = useState<{ range: Range; appliedAtEdit: string } | null>(null)
  const shown = draft?.appliedAtEdit === applied ? draft.range : { from, to }
  const isWrong = isReversed(shown)
  const change = (range: Range) => {
    if (isReversed(range)) return setDraft({ range, appliedAtEdit: applied })
    setDraft(null)
    onChange(range)
  }
  const wiring = { 'aria-invalid': isWrong || undefined, 'aria-describedby': isWrong ? noteId : undefined }
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-1.5">
      <legend className="sr-only">Date range</legend>
      <Input
        {...wiring}
        type="date"
        aria-label="From"
        value={shown.from ?? ''}
        onChange={(event) => change({ ...shown, from: event.target.value || undefined })}
        className="w-34 flex-1"
      />
      <span aria-hidden className="text-faint">
        –
      </span>
      <Input
        {...wiring}
        type="date"
        aria-label="To"
        value={shown.to ?? ''}
        onChange={(event) => change({ ...shown, to: event.target.value || undefined })}
        className="w-34 flex-1"
      />
      {isWrong && (
        <p id={noteId} role="alert" className="w-full text-bad-ink text-xs">
          The start date must be on or before the end date.
        </p>
      )}
    </fieldset>
  )
}
