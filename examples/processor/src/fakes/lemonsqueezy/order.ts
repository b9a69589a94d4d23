import type { Payment } from '../fake.ts'
import { numberFrom } from '../fake-ids.ts'
import { inWholeSeconds } from '../moments.ts'
import { amountFields, currencyRate, moneyIn, subtotalOf } from './money.ts'
import { customerId, orderId, orderIdentifier, orderNumber, productId, variantId } from './names.ts'
import { resourceOf } from './resource.ts'

export type Store = { id: number; isTest: boolean; yenFactor: 1 | 100 }

const STATUSES = {
  paid: 'Paid',
  partial_refund: 'Partially refunded',
  refunded: 'Refunded',
  fraudulent: 'Fraudulent',
}
export type OrderStatus = keyof typeof STATUSES

type State = { status: OrderStatus; updatedAt: number }

/** `refunded_amount` is cumulative and includes tax. */
export const orderOf = (store: Store, payment: Payment, { status, updatedAt }: State) => {
  const { amounts, currency, refunded, taxBps } = payment
  const money = moneyIn(currency, store.yenFactor)
  const values = {
    setup_fee: 0,
    subtotal: subtotalOf(payment, amounts),
    discount_total: amounts.discountCents,
    tax: amounts.taxCents,
    total: amounts.totalCents,
    refunded_amount: refunded.totalCents,
  }
  const isRefunded = status === 'refunded'
  const attributes = {
    store_id: store.id,
    customer_id: customerId(payment),
    identifier: orderIdentifier(payment),
    order_number: orderNumber(payment),
    user_name: payment.customerName,
    user_email: payment.email,
    currency,
    currency_rate: currencyRate(currency),
    ...amountFields(values, money),
    tax_name: taxBps > 0 ? 'VAT' : '',
    tax_rate: (taxBps / 100).toFixed(2),
    tax_inclusive: payment.taxInclusive,
    status,
    status_formatted: STATUSES[status],
    refunded: isRefunded,
    refunded_at: isRefunded ? inWholeSeconds(updatedAt) : null,
    first_order_item: itemOf(store, payment, money.cents(payment.priceCents)),
    urls: { receipt: `https://app.lemonsqueezy.com/my-orders/${orderIdentifier(payment)}?signature=sample` },
    created_at: inWholeSeconds(payment.at),
    updated_at: inWholeSeconds(updatedAt),
    test_mode: store.isTest,
  }
  return resourceOf('orders', orderId(payment), attributes, [
    'store',
    'customer',
    'order-items',
    'subscriptions',
    'license-keys',
    'discount-redemptions',
  ])
}

const itemOf = (store: Store, payment: Payment, price: number) => ({
  id: numberFrom('order item', payment.purchase),
  order_id: orderId(payment),
  product_id: productId(payment),
  variant_id: variantId(payment),
  product_name: payment.product,
  variant_name: 'Default',
  price,
  quantity: 1,
  created_at: inWholeSeconds(payment.at),
  updated_at: inWholeSeconds(payment.at),
  test_mode: store.isTest,
})
