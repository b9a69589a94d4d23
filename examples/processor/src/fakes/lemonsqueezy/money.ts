import type { Amounts, Payment } from '../fake.ts'

const ZERO_DECIMAL = ['JPY', 'KRW', 'CLP', 'VND']
/** Wrong on purpose for anything but dollars, so that nobody takes `…_usd` for the amount. */
const USD_RATES: Record<string, number> = { USD: 1, EUR: 1.25, JPY: 0.75 }

export type Money = {
  cents: (value: number) => number
  formatted: (value: number) => string
  usd: (value: number) => number
}

/** `yenFactor` multiplies the integers of currencies without decimals, never the formatted amounts. */
export const moneyIn = (currency: string, yenFactor: 1 | 100): Money => {
  const isZeroDecimal = ZERO_DECIMAL.includes(currency)
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return {
    cents: (value) => (isZeroDecimal ? value * yenFactor : value),
    formatted: (value) => format.format(isZeroDecimal ? value : value / 100),
    usd: (value) => Math.round(value * rateOf(currency)),
  }
}

const rateOf = (currency: string) => USD_RATES[currency] ?? 1.5

export const currencyRate = (currency: string) => rateOf(currency).toFixed(8)

/** An inclusive price contains the tax already. */
export const subtotalOf = ({ taxInclusive }: Payment, { priceCents, netCents, discountCents }: Amounts) =>
  taxInclusive ? priceCents : netCents + discountCents

type Values = Record<string, number>

/** The amount in its currency, in dollars and as text, under the names that Lemon Squeezy uses. */
export const amountFields = (values: Values, money: Money, { withFormatted = true } = {}) => ({
  ...mapped(values, '', money.cents),
  ...mapped(values, '_usd', money.usd),
  ...(withFormatted && mapped(values, '_formatted', money.formatted)),
})

const mapped = <Value>(values: Values, suffix: string, map: (value: number) => Value) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name + suffix, map(value)]))
