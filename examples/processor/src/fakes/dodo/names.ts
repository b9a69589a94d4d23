import type { Payment } from '../fake.ts'
import { dodoId } from '../fake-ids.ts'

export const paymentId = ({ name }: Payment) => dodoId('pay', name)
export const subscriptionId = ({ purchase }: Payment) => dodoId('sub', purchase)
export const checkoutId = ({ purchase }: Payment) => dodoId('cks', purchase)
export const customerId = ({ customer }: Payment) => dodoId('cus', customer)
export const productId = ({ product, priceCents }: Payment) => dodoId('pdt', product, priceCents)
export const discountId = ({ discountCode }: Payment) => (discountCode === null ? null : dodoId('dsc', discountCode))
