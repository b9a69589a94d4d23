import { clsx } from 'clsx'

type Props<Value extends string> = {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

/** A choice among a few visible options. */
export const Segmented = <Value extends string>({ label, value, options, onChange }: Props<Value>) => (
  <fieldset className="inline-flex w-fit min-w-0 max-w-full self-start overflow-x-auto rounded-lg [scrollbar-width:none] border border-line bg-sunken p-0.5">
    <legend className="sr-only">{label}</legend>
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        aria-pressed={value === option.value}
        onClick={() => onChange(option.value)}
        className={clsx(
          'h-7 whitespace-nowrap rounded-md px-2 text-sm sm:px-2.5 focus-visible:-outline-offset-1',
          value === option.value
            ? 'bg-surface font-medium text-ink shadow-card dark:bg-line'
            : 'text-soft hover:text-ink',
        )}
      >
        {option.label}
      </button>
    ))}
  </fieldset>
)
