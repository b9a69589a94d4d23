import { MAX_AMOUNT } from '@tributary/contract'
import { prorate } from '../../money/rewards/rewards.ts'
import { type Amount, amountOf as plainAmountOf } from '../translating/amounts.ts'
import { wholeNumber } from '../translating/fields.ts'

export { type Amount, withoutTax } from '../translating/amounts.ts'

/**
 * Stripe's units for these currencies differ from ISO 4217: ISK and UGX amounts have two unused decimals, MGA amounts have none.
 * https://docs.stripe.com/currencies#special-cases
 */
const UNUSED_DECIMALS = ['ISK', 'UGX']
const MISSING_DECIMALS = ['MGA']

/** An exact amount in minor units; null if it is missing, negative, too large or in an unknown currency. */
export const amountOf = (value: unknown, code: unknown): Amount | null => {
  const amount = plainAmountOf(wholeNumber(value), code)
  if (!amount) return null
  const cents = toMinorUnits(amount.cents, amount.currency)
  return cents > MAX_AMOUNT ? null : { ...amount, cents }
}

const toMinorUnits = (cents: number, code: string) => {
  if (UNUSED_DECIMALS.includes(code)) return prorate(cents, 1, 100)
  return MISSING_DECIMALS.includes(code) ? cents * 100 : cents
}
