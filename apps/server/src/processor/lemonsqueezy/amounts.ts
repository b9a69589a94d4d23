import { minorDigits } from '@tributary/contract'
import { prorate } from '../../money/rewards/rewards.ts'
import { type Amount, amountOf } from '../translating/amounts.ts'
import { type Fields, wholeNumber } from '../translating/fields.ts'

/** An amount of an order or invoice; null if it is missing, negative, a fraction or in an unknown currency. */
export const amountIn = (object: Fields, name: string): Amount | null => {
  const amount = amountOf(wholeNumber(object[name]), object.currency)
  if (!amount || minorDigits(amount.currency) > 0 || !hasUnusedDecimals(object)) return amount
  return { ...amount, cents: prorate(amount.cents, 1, 100) }
}

/**
 * Whether amounts in currencies without decimals are multiplied by 100. Lemon Squeezy does not document it, so the same amount as
 * text decides.
 */
const hasUnusedDecimals = ({ total, total_formatted: text }: Fields) => {
  const [, whole = ''] = /(\d[\d.,\s]*?)(?:[.,]\d{2})?\D*$/.exec(typeof text === 'string' ? text : '') ?? []
  const units = Number(whole.replace(/\D/g, ''))
  return units > 0 && total === units * 100
}
