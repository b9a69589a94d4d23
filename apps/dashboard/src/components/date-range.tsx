import { Input } from './field.tsx'

type Range = { from: string | undefined; to: string | undefined }

/** Two days of the calendar, either of them open. The platform's own pickers know every locale and keyboard. */
export const DateRange = ({ from, to, onChange }: Range & { onChange: (range: Range) => void }) => (
  <fieldset className="flex min-w-0 items-center gap-1.5">
    <legend className="sr-only">Days</legend>
    <Input
      type="date"
      aria-label="From"
      value={from ?? ''}
      max={to}
      onChange={(event) => onChange({ from: event.target.value || undefined, to })}
      className="w-34 flex-1"
    />
    <span aria-hidden className="text-faint">
      –
    </span>
    <Input
      type="date"
      aria-label="To"
      value={to ?? ''}
      min={from}
      onChange={(event) => onChange({ from, to: event.target.value || undefined })}
      className="w-34 flex-1"
    />
  </fieldset>
)
