import { currency, MAX_AMOUNT } from '@tributary/contract'
import { prorate } from '../../money/rewards/rewards.ts'
import { wholeNumber } from './reading.ts'

/**
 * Stripe's units for these currencies differ from ISO 4217: ISK and UGX amounts have two unused decimals, MGA amounts have none.
 * https://docs.stripe.com/currencies#special-cases
 */
const UNUSED_DECIMALS = ['ISK', 'UGX']
const MISSING_DECIMALS = ['MGA']

export type Amount = { cents: number; currency: string }

/** An exact amount in minor units; null if it is missing, negative, too large or in an unknown currency. */
export const amountOf = (value: unknown, code: unknown): Amount | null => {
  const cents = wholeNumber(value)
  const known = currency.safeParse(code)
  if (cents === null || cents < 0 || !known.success) return null
  const converted = toMinorUnits(cents, known.data)
  return converted > MAX_AMOUNT ? null : { cents: converted, currency: known.data }
}

const toMinorUnits = (cents: number, code: string) => {
  if (UNUSED_DECIMALS.includes(code)) return prorate(cents, 1, 100)
  return MISSING_DECIMALS.includes(code) ? cents * 100 : cents
}

/** The amount without tax; null if the tax is unknown or invalid. */
export const withoutTax = (gross: Amount, tax: Amount | null) =>
  tax && tax.cents <= gross.cents ? gross.cents - tax.cents : null
