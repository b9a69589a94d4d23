import { currency, MAX_AMOUNT } from '@tributary/contract'
import { share } from '../../money/rewards/share.ts'
import { wholeNumber } from './reading.ts'

/**
 * Stripe counts these three in other units than ISO 4217, which the money room goes by: kronur and shillings come as
 * hundredths that nobody can pay, and ariary whole. https://docs.stripe.com/currencies#special-cases
 */
const HUNDREDTHS_OF_NOTHING = ['ISK', 'UGX']
const WITHOUT_ITS_CENTS = ['MGA']

export type Amount = { cents: number; currency: string }

/** An amount in minor units of its currency, exact; null where it is missing, negative or in no currency that we know. */
export const amountOf = (value: unknown, code: unknown): Amount | null => {
  const cents = wholeNumber(value)
  const known = currency.safeParse(code)
  if (cents === null || cents < 0 || !known.success) return null
  const converted = inMinorUnits(cents, known.data)
  return converted > MAX_AMOUNT ? null : { cents: converted, currency: known.data }
}

const inMinorUnits = (cents: number, code: string) => {
  if (HUNDREDTHS_OF_NOTHING.includes(code)) return share(cents, 1, 100)
  return WITHOUT_ITS_CENTS.includes(code) ? cents * 100 : cents
}

/** What is left of an amount without its tax; null where the tax is not known, or cannot be right. */
export const withoutTax = (gross: Amount, tax: Amount | null) =>
  tax && tax.cents <= gross.cents ? gross.cents - tax.cents : null
