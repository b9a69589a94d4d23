import { fromDecimal, minorDigits, toDecimal } from '@tributary/contract/currencies'
import { type ComponentProps, useEffect, useRef } from 'react'
import { Input } from './field.tsx'

/** A form's field holds major units as plain text, never in a locale. */
export { fromDecimal as centsOf, toDecimal as textOfCents } from '@tributary/contract/currencies'

/** What is wrong with an amount as it was typed. Whether a field may be empty is for its form to say. */
export const amountProblem = (text: string, currency: string) => {
  if (text.trim() === '' || fromDecimal(text, currency) !== null) return null
  const digits = minorDigits(currency)
  const example = toDecimal(1200 * 10 ** digits, currency)
  return digits === 0
    ? `Write a whole number, for example ${example}.`
    : `Write the amount with at most ${digits} digits after the point, for example ${example}.`
}

type Props = Omit<ComponentProps<'input'>, 'type' | 'step' | 'ref' | 'onInput'> & { currency: string }

/** An amount with its currency beside it. A form with an amount that could be read in two ways is not sent. */
export const MoneyInput = ({ currency, className, ...rest }: Props) => {
  const input = useRef<HTMLInputElement>(null)
  const check = () => input.current?.setCustomValidity(amountProblem(input.current.value, currency) ?? '')
  // Also where the value or the currency came from elsewhere.
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
