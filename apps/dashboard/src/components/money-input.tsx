import { minorDigits } from '@tributary/contract/currencies'
import type { ComponentProps } from 'react'
import { Input } from './field.tsx'

/** A form's field holds major units as plain text, never in a locale. */
export { fromDecimal as centsOf, toDecimal as textOfCents } from '@tributary/contract/currencies'

type Props = Omit<ComponentProps<'input'>, 'type' | 'step'> & { currency: string }

/** An amount with its currency beside it. */
export const MoneyInput = ({ currency, className, ...rest }: Props) => (
  <span className="relative block">
    <Input
      min={0}
      {...rest}
      type="number"
      inputMode="decimal"
      step={10 ** -minorDigits(currency)}
      className={`pr-13 tabular-nums ${className ?? ''}`}
    />
    <span
      aria-hidden
      className="pointer-events-none absolute inset-y-0 right-3 grid place-items-center text-faint text-xs"
    >
      {currency}
    </span>
  </span>
)
