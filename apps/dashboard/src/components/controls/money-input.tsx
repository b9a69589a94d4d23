import { fromDecimal, minorDigits, toDecimal } from '@tributary/contract/currencies'
import { type ComponentProps, useEffect, useRef } from 'react'
import { Input } from './field.tsx'

/** Form fields hold major units as plain text, independent of the locale. */
export { fromDecimal as parseCents, toDecimal as toAmountText } from '@tributary/contract/currencies'

/** The error for a typed amount. Whether it may be empty is up to the form. */
export const amountProblem = (text: string, currency: string) => {
  if (text.trim() === '' || fromDecimal(text, currency) !== null) return null
  const digits = minorDigits(currency)
  const example = toDecimal(1200 * 10 ** digits, currency)
  return digits === 0
    ? `Enter a whole number, for example ${example}.`
    : `Enter an amount with at most ${digits} decimals, for example ${example}.`
}

type Props = Omit<ComponentProps<'input'>, 'type' | 'step' | 'ref' | 'onInput'> & { currency: string }

/** An amount with its currency. The form cannot be submitted while the amount is ambiguous. */
export const MoneyInput = ({ currency, className, ...rest }: Props) => {
  const input = useRef<HTMLInputElement>(null)
  const check = () => input.current?.setCustomValidity(amountProblem(input.current.value, currency) ?? '')
  // The value or the currency may also change from outside.
  useEffect(check)
  return (
    <span className="relative block">
      <Input
        min={0}
        {...rest}
        ref={input}
        onInput={check}
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
}
