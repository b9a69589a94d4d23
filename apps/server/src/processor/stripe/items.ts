import { type Fields, idOf, itemsOf, read, timeOf, wholeNumber } from '../translating/fields.ts'
import { intervalOf, itemsOfLines, type Line } from '../translating/items.ts'

/** What an invoice is for. The event has only the first lines of a long one. */
export const itemsOfInvoice = ({ lines, subtotal }: Fields) =>
  itemsOfLines(
    itemsOf(read(lines, 'data')).map(lineOf),
    read(lines, 'has_more') === true ? (wholeNumber(subtotal) ?? 0) : 0,
  )

/** Since 2025 a line names its price and product only by ID. */
const lineOf = (line: unknown): Line => {
  const price = read(line, 'pricing', 'price_details') ?? read(line, 'price') ?? read(line, 'plan')
  const amount = wholeNumber(read(line, 'amount'))
  const discounts = itemsOf(read(line, 'discount_amounts')).map(
    (discount) => wholeNumber(read(discount, 'amount')) ?? 0,
  )
  return {
    productId: idOf(read(price, 'product')),
    planId: idOf(read(price, 'price')) ?? idOf(read(price, 'id')),
    interval: intervalIn(line),
    amountCents: amount === null ? null : amount - discounts.reduce((sum, cents) => sum + cents, 0),
  }
}

const LONGEST_MONTH_MS = 100 * 86_400_000

/** The price says how often it recurs, if it is in the event. Otherwise the length of the paid period does, unless it is a part of one. */
const intervalIn = (line: unknown) => {
  const unit = read(line, 'price', 'recurring', 'interval') ?? read(line, 'plan', 'interval')
  if (unit !== undefined || read(line, 'price', 'type') === 'one_time') return intervalOf(unit)
  const [start, end] = ['start', 'end'].map((name) => timeOf(read(line, 'period', name))?.getTime())
  if (!start || !end || start === end) return intervalOf(null)
  if (read(line, 'parent', 'subscription_item_details', 'proration') === true) return null
  return end - start > LONGEST_MONTH_MS ? 'year' : 'month'
}
