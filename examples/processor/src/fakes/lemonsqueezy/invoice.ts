import type { Payment } from '../fake.ts'
import { inWholeSeconds } from '../moments.ts'
import { amountFields, currencyRate, moneyIn, subtotalOf } from './money.ts'
import { customerId, invoiceId, subscriptionId } from './names.ts'
import type { Store } from './order.ts'
import { resourceOf } from './resource.ts'

const REASONS = { purchase: 'initial', renewal: 'renewal', upgrade: 'updated' } as const
const STATUSES = { paid: 'Paid', partial_refund: 'Partially refunded', refunded: 'Refunded' }

export type InvoiceState = { status: keyof typeof STATUSES; updatedAt: number }

/** A subscription's payment. It does not name its order. */
export const invoiceOf = (store: Store, payment: Payment, { status, updatedAt }: InvoiceState) => {
  const { amounts, currency, refunded } = payment
  const money = moneyIn(currency, store.yenFactor)
  const values = {
    subtotal: subtotalOf(payment, amounts),
    discount_total: amounts.discountCents,
    tax: amounts.taxCents,
    total: amounts.totalCents,
    refunded_amount: refunded.totalCents,
  }
  const isRefunded = status === 'refunded'
  const attributes = {
    store_id: store.id,
    subscription_id: subscriptionId(payment),
    customer_id: customerId(payment),
    user_name: payment.customerName,
    user_email: payment.email,
    billing_reason: REASONS[payment.reason],
    card_brand: 'visa',
    card_last_four: '4242',
    currency,
    currency_rate: currencyRate(currency),
    status,
    status_formatted: STATUSES[status],
    refunded: isRefunded,
    refunded_at: isRefunded ? inWholeSeconds(updatedAt) : null,
    ...amountFields(values, money),
    tax_inclusive: payment.taxInclusive,
    urls: { invoice_url: `https://app.lemonsqueezy.com/my-orders/sample/subscription-invoice/${invoiceId(payment)}` },
    created_at: inWholeSeconds(payment.at),
    updated_at: inWholeSeconds(updatedAt),
    test_mode: store.isTest,
  }
  const { links, ...data } = resourceOf('subscription-invoices', invoiceId(payment), attributes, [
    'store',
    'subscription',
    'customer',
  ])
  // In invoice events the links are beside the data.
  return { data, links }
}
