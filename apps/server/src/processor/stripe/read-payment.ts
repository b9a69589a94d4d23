import { amountIn } from '../translating/amounts.ts'
import { attributionIn } from '../translating/attribution.ts'
import { wholeNumber } from '../translating/fields.ts'
import { paymentReader } from '../translating/payments.ts'
import { REST_OF_SECOND_MS } from '../translating/reports.ts'

/** https://docs.stripe.com/currencies#special-cases */
const amountInUnits = amountIn({ unusedDecimals: ['ISK', 'UGX'], missingDecimals: ['MGA'] })

/** An exact amount in minor units; null if it is missing, negative, too large or in an unknown currency. */
export const amountOf = (value: unknown, code: unknown) => amountInUnits(wholeNumber(value), code)

/** One Stripe account can sell for several programs, so its payments are credited only if they name the program. */
export const namedIn = (...metadata: unknown[]) => {
  const found = attributionIn(...metadata)
  return found?.programId ? found : null
}

export const readPayment = paymentReader({ amountOf, withinMs: REST_OF_SECOND_MS, attributionIn: namedIn })
