import { type Fields, idOf, itemsOf, read, wholeNumber } from '../translating/fields.ts'
import { intervalOf, itemsOfLines } from '../translating/items.ts'

/** What an order is for. It has one product; its lines can have several prices. */
export const itemsOfOrder = (order: Fields) =>
  itemsOfLines(
    itemsOf(order.items).map((item) => ({
      productId: idOf(order.product_id) ?? idOf(order.product),
      planId: idOf(read(item, 'product_price_id')),
      interval: intervalOf(read(order, 'product', 'recurring_interval')),
      amountCents: wholeNumber(read(item, 'amount')),
    })),
  )
