import type { ComponentProps } from 'react'
import { Input } from './field.tsx'
import { fractionDigits } from './format.ts'

/** What a form says in whole euros, in cents. Null where it is no amount. */
export const centsOf = (text: string, currency: string) => {
  const amount = Number(text.trim().replace(',', '.'))
  return text.trim() === '' || !Number.isFinite(amount) ? null : Math.round(amount * 10 ** fractionDigits(currency))
}

/** Cents as the value of a form's field, which is never in a locale. */
export const textOfCents = (amountCents: number, currency: string) =>
  (amountCents / 10 ** fractionDigits(currency)).toFixed(fractionDigits(currency))

type Props = Omit<ComponentProps<'input'>, 'type' | 'step'> & { currency: string }

/** An amount with its currency beside it. */
export const MoneyInput = ({ currency, className, ...rest }: Props) => (
  <span className="relative block">
    <Input
      min={0}
      {...rest}
      type="number"
      inputMode="decimal"
      step={10 ** -fractionDigits(currency)}
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
