import { describe, expect, test } from 'bun:test'
import { itemsOfTransaction } from '../../src/processor/paddle/items.ts'
import { itemsOfOrder } from '../../src/processor/polar/items.ts'
import { itemsOfInvoice } from '../../src/processor/stripe/items.ts'

const part = (productId: string | null, planId: string | null, interval: string | null, amountCents: number) =>
  ({ productId, planId, interval, amountCents }) as never

describe('what a Stripe invoice is for', () => {
  const YEAR = { start: 1_700_000_000, end: 1_731_622_400 }
  const since2025 = (amount: number, more: object = {}) => ({
    amount,
    period: YEAR,
    pricing: { type: 'price_details', price_details: { price: 'price_1', product: 'prod_1' } },
    ...more,
  })

  test('has the products, prices and intervals of its lines, without discounts', () => {
    const before2025 = { amount: 500, price: { id: 'price_2', product: 'prod_2', recurring: { interval: 'week' } } }
    const once = { amount: 100, price: { id: 'price_3', product: 'prod_3', type: 'one_time', recurring: null } }
    const data = [since2025(1_000, { discount_amounts: [{ amount: 200 }] }), before2025, once]
    expect(itemsOfInvoice({ lines: { data } })).toEqual({
      items: {
        totalCents: 1_400,
        parts: [
          part('prod_1', 'price_1', 'year', 800),
          part('prod_2', 'price_2', 'month', 500),
          part('prod_3', 'price_3', 'one_time', 100),
        ],
      },
    })
  })

  test('leaves out a plan that a credit outweighs, and counts lines that the event leaves out', () => {
    const old = { amount: -300, price: { id: 'price_old', product: 'prod_1' } }
    const data = [old, since2025(1_000)]
    expect(itemsOfInvoice({ lines: { data, has_more: true }, subtotal: 1_500 })).toEqual({
      items: { totalCents: 1_500, parts: [part('prod_1', 'price_1', 'year', 1_000)] },
    })
  })

  test('is unknown without products, and if a line is malformed', () => {
    expect(itemsOfInvoice({ lines: { data: [{ amount: 5, metadata: {} }] } })).toEqual({})
    expect(itemsOfInvoice({ lines: { data: [since2025(1_000), { amount: '5' }] } })).toEqual({})
    expect(itemsOfInvoice({})).toEqual({})
  })
})

test('a Paddle transaction has the products and prices of its lines, without tax', () => {
  const line = (price_id: string, total: string, tax: string) => ({
    price_id,
    product: { id: `pro_${price_id}` },
    totals: { total, tax },
  })
  const items = [{ price: { id: 'pri_1', billing_cycle: { interval: 'year' } } }, { price: { id: 'pri_2' } }]
  const line_items = [line('pri_1', '1190', '190'), line('pri_2', '119', '19'), line('pri_3', '-50', '0')]
  expect(itemsOfTransaction({ items, details: { line_items } })).toEqual({
    items: {
      totalCents: 1_100,
      parts: [part('pro_pri_1', 'pri_1', 'year', 1_000), part('pro_pri_2', 'pri_2', 'one_time', 100)],
    },
  })
})

test('a Polar order has its product, the prices of its lines and the interval of the product', () => {
  const order = {
    product_id: 'p',
    product: { recurring_interval: 'month' },
    items: [{ amount: 900, product_price_id: 'a' }, { amount: 100 }],
  }
  expect(itemsOfOrder(order)).toEqual({
    items: { totalCents: 1_000, parts: [part('p', 'a', 'month', 900), part('p', null, 'month', 100)] },
  })
})
