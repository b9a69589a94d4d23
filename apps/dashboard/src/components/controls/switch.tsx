import { Switch as Radix } from 'radix-ui'
import { type ReactNode, useId } from 'react'

type Props = {
  label: string
  hint?: ReactNode
  name?: string
  disabled?: boolean
  checked?: boolean
  defaultChecked?: boolean
  onChange?: (checked: boolean) => void
}

/** In a form its value is `on`, like a checkbox. */
export const Switch = ({ label, hint, onChange, ...rest }: Props) => {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium text-sm">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="mt-0.5 text-faint text-xs">
            {hint}
          </p>
        )}
      </div>
      <Radix.Root
        id={id}
        {...rest}
        {...(onChange && { onCheckedChange: onChange })}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="relative h-5 w-9 shrink-0 cursor-pointer rounded-full border border-faint bg-sunken transition-colors disabled:cursor-not-allowed disabled:opacity-55 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Radix.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-faint transition-transform data-[state=checked]:translate-x-[1.1rem] data-[state=checked]:bg-on-accent" />
      </Radix.Root>
    </div>
  )
}
