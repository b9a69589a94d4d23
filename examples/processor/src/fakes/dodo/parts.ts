import type { Payment } from '../fake.ts'
import { inMicroseconds } from '../moments.ts'
import { customerId, discountId, productId } from './names.ts'

/** `account` of the merchant; a business without brands is its own brand. */
export type Business = { id: string; isTest: boolean }

export const BILLING = {
  city: 'New York',
  country: 'US',
  state: 'New York',
  street: '1 Sample Street',
  zipcode: '10001',
}

export const customerOf = (payment: Payment) => ({
  customer_id: customerId(payment),
  email: payment.email,
  metadata: {},
  name: payment.customerName,
  phone_number: null,
})

/** Newer payloads state the code's text beside the deprecated `discount_id`. */
export const discountsOf = (business: Business, payment: Payment) =>
  payment.discountCode === null
    ? null
    : [
        {
          amount: payment.discountCents,
          business_id: business.id,
          code: payment.discountCode,
          created_at: inMicroseconds(Date.UTC(2026, 0, 5)),
          cycles_remaining: null,
          discount_id: discountId(payment),
          expires_at: null,
          metadata: {},
          name: payment.discountCode,
          position: 0,
          preserve_on_plan_change: false,
          restricted_to: [productId(payment)],
          subscription_cycles: null,
          times_used: 1,
          type: 'flat',
          usage_limit: null,
        },
      ]
