import { currency, MAX_AMOUNT } from '@tributary/contract'
import { prorate } from '../../money/rewards/rewards.ts'
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

/** Currencies whose units at a processor differ from ISO 4217: with two decimals that are always zero, or without their decimals. */
type OtherUnits = { unusedDecimals: string[]; missingDecimals: string[] }

/** Like `amountOf`, for a processor with other units. */
export const amountIn =
  ({ unusedDecimals, missingDecimals }: OtherUnits) =>
  (value: unknown, code: unknown): Amount | null => {
    const amount = amountOf(value, code)
    if (!amount) return null
    if (unusedDecimals.includes(amount.currency)) return { ...amount, cents: prorate(amount.cents, 1, 100) }
    if (!missingDecimals.includes(amount.currency)) return amount
    const cents = amount.cents * 100
    return cents > MAX_AMOUNT ? null : { ...amount, cents }
  }

/**
 * The net share of a total, applied to the amount paid, because a credit or balance may have paid the rest. Null if one of them is
 * unknown or invalid.
 */
export const netOfPaid = (paid: Amount, { total, netCents }: { total: Amount | null; netCents: number | null }) =>
  !total?.cents || netCents === null || netCents < 0 || netCents > total.cents
    ? null
    : prorate(paid.cents, netCents, total.cents)

/** The amount without tax; null if the tax is unknown or invalid. */
export const withoutTax = (gross: Amount, tax: Amount | null) =>
  tax && tax.cents <= gross.cents ? gross.cents - tax.cents : null
