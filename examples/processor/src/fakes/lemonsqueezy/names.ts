import type { Payment } from '../fake.ts'
import { numberFrom, uuidFrom } from '../fake-ids.ts'

/** Only a purchase has an order; renewals and upgrades have an invoice alone. */
export const orderId = ({ purchase }: Payment) => numberFrom('order', purchase)
export const orderIdentifier = ({ purchase }: Payment) => uuidFrom('order', purchase)
export const orderNumber = (payment: Payment) => orderId(payment) % 10_000
export const invoiceId = ({ name }: Payment) => numberFrom('invoice', name)
export const subscriptionId = ({ purchase }: Payment) => numberFrom('subscription', purchase)
export const customerId = ({ customer }: Payment) => numberFrom('customer', customer)
export const productId = ({ product }: Payment) => numberFrom('product', product)
export const variantId = ({ product, priceCents }: Payment) => numberFrom('variant', product, priceCents)
