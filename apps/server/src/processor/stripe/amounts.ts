import { amountIn } from '../translating/amounts.ts'
import { wholeNumber } from '../translating/fields.ts'

export { type Amount, withoutTax } from '../translating/amounts.ts'

/** https://docs.stripe.com/currencies#special-cases */
const amountInUnits = amountIn({ unusedDecimals: ['ISK', 'UGX'], missingDecimals: ['MGA'] })

/** An exact amount in minor units; null if it is missing, negative, too large or in an unknown currency. */
export const amountOf = (value: unknown, code: unknown) => amountInUnits(wholeNumber(value), code)
