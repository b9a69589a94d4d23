import type { Payment } from '../fake.ts'
import { uuidFrom } from '../fake-ids.ts'

/** Every id at Polar is a UUID without a prefix. */
export const orderId = ({ name }: Payment) => uuidFrom('order', name)
export const checkoutId = ({ purchase }: Payment) => uuidFrom('checkout', purchase)
export const subscriptionId = ({ purchase }: Payment) => uuidFrom('subscription', purchase)
export const customerId = ({ customer }: Payment) => uuidFrom('customer', customer)
export const productId = ({ product }: Payment) => uuidFrom('product', product)
export const priceId = ({ product, priceCents }: Payment) => uuidFrom('price', product, priceCents)
export const discountId = ({ discountCode }: Payment) =>
  discountCode === null ? null : uuidFrom('discount', discountCode)

/** The customer's prefix, and a running number. */
export const invoiceNumberOf = (payment: Payment) =>
  `QUILLET-${customerId(payment).slice(0, 8).toUpperCase()}-${String(Math.floor(payment.at / 1000) % 10_000).padStart(4, '0')}`
