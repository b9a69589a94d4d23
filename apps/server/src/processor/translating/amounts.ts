import { currency, MAX_AMOUNT } from '@tributary/contract'
import { wholeNumber } from './fields.ts'

export type Amount = { cents: number; currency: string }

/** An exact amount in minor units; null if it is missing, negative, a fraction, too large or in an unknown currency. */
export const amountOf = (value: unknown, code: unknown): Amount | null => {
  const cents = typeof value === 'string' ? wholeNumberIn(value) : wholeNumber(value)
  const known = currency.safeParse(code)
  return cents === null || cents < 0 || cents > MAX_AMOUNT || !known.success ? null : { cents, currency: known.data }
}

/** Some processors send whole numbers as text. */
const wholeNumberIn = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : null)

/** The amount without tax; null if the tax is unknown or invalid. */
export const withoutTax = (gross: Amount, tax: Amount | null) =>
  tax && tax.cents <= gross.cents ? gross.cents - tax.cents : null
