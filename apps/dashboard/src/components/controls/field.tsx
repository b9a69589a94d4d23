import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'

type Wiring = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean | undefined }
type Props = {
  label: string
  hint?: ReactNode
  error?: string | null | undefined
  optional?: boolean
  children: (wiring: Wiring) => ReactNode
}

/** A label, its control, and the hint or error below. The control must spread the wiring. */
export const Field = ({ label, hint, error, optional, children }: Props) => {
  const id = useId()
  const noteId = `${id}-note`
  const note = error ?? hint
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="flex items-baseline justify-between font-medium text-sm">
        {label}
        {optional && <span className="font-normal text-faint text-xs">Optional</span>}
      </label>
      {children({ id, 'aria-describedby': note ? noteId : undefined, 'aria-invalid': error ? true : undefined })}
      {note && (
        <p
          id={noteId}
          role={error ? 'alert' : undefined}
          className={clsx('text-xs', error ? 'text-bad-ink' : 'text-faint')}
        >
          {note}
        </p>
      )}
    </div>
  )
}

/** Shared by inputs, text areas and selects. */
export const CONTROL =
  'w-full min-w-0 rounded-md border border-line-strong bg-surface text-ink text-sm shadow-card transition-colors placeholder:text-faint hover:border-faint aria-invalid:border-bad disabled:opacity-60'

export const Input = ({ className, ...rest }: ComponentProps<'input'>) => (
  <input {...rest} className={clsx(CONTROL, 'h-8 px-2.5', className)} />
)

export const Textarea = ({ className, ...rest }: ComponentProps<'textarea'>) => (
  <textarea {...rest} className={clsx(CONTROL, 'min-h-20 px-2.5 py-1.5', className)} />
)

/** Native, so it works with every keyboard, screen reader and touch screen. */
export const Select = ({ className, children, ...rest }: ComponentProps<'select'>) => (
  <span className={clsx('relative inline-flex', className ?? 'w-full')}>
    <select {...rest} className={clsx(CONTROL, 'h-8 cursor-pointer appearance-none truncate pr-8 pl-2.5')}>
      {children}
    </select>
    <ChevronDown aria-hidden className="pointer-events-none absolute top-2 right-2.5 size-4 text-faint" />
  </span>
)
