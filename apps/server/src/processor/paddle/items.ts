import { type Fields, idOf, itemsOf, read } from '../translating/fields.ts'
import { intervalOf, itemsOfLines } from '../translating/items.ts'

/** What a transaction is for, without tax. The unused time of an old plan is a line with a negative amount. */
export const itemsOfTransaction = (transaction: Fields) => {
  const prices = itemsOf(transaction.items).map((item) => read(item, 'price'))
  return itemsOfLines(
    itemsOf(read(transaction, 'details', 'line_items')).map((line) => {
      const planId = idOf(read(line, 'price_id'))
      const price = prices.find((one) => idOf(one) === planId)
      const [total, tax] = ['total', 'tax'].map((name) => signedIn(read(line, 'totals', name)))
      return {
        productId: idOf(read(line, 'product')) ?? idOf(read(price, 'product_id')),
        planId,
        interval: intervalOf(read(price, 'billing_cycle', 'interval')),
        amountCents: total == null || tax == null ? null : total - tax,
      }
    }),
  )
}

/** Paddle sends whole numbers as text. */
const signedIn = (value: unknown) => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : null)
