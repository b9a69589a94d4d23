import { taxIn } from '../amounts.ts'
import type { Payment } from '../fake.ts'
import { uuidFrom } from '../fake-ids.ts'
import { inMilliseconds } from '../moments.ts'
import {
  checkoutId,
  customerId,
  discountId,
  invoiceNumberOf,
  orderId,
  priceId,
  productId,
  subscriptionId,
} from './names.ts'
import { ADDRESS, customerOf, discountOf, productOf } from './parts.ts'

export type OrderState = {
  status: 'pending' | 'paid' | 'partially_refunded' | 'refunded'
  at: number
  /** As orders contain it; null for a one-time purchase. */
  subscription: object | null
}

/** `net_amount` is without tax, and `refunded_amount` too. */
export const orderOf = (organizationId: string, payment: Payment, previous: Payment | null, state: OrderState) => {
  const { amounts, mode, name, refunded, customerName, product } = payment
  const isSubscription = mode === 'subscription'
  const isPaid = state.status !== 'pending'
  const refundedCents = refunded.totalCents - refunded.taxCents
  return {
    id: orderId(payment),
    created_at: inMilliseconds(payment.at),
    modified_at: inMilliseconds(state.at),
    status: state.status,
    paid: isPaid,
    subtotal_amount: amounts.priceCents,
    discount_amount: amounts.discountCents,
    net_amount: amounts.netCents,
    tax_amount: amounts.taxCents,
    total_amount: amounts.totalCents,
    applied_balance_amount: 0,
    due_amount: isPaid ? 0 : amounts.totalCents,
    refunded_amount: refundedCents,
    refunded_tax_amount: refunded.taxCents,
    currency: payment.currency.toLowerCase(),
    billing_reason: reasonOf(payment),
    billing_name: customerName,
    billing_address: ADDRESS,
    invoice_number: invoiceNumberOf(payment),
    is_invoice_generated: false,
    receipt_number: null,
    seats: null,
    customer_id: customerId(payment),
    product_id: productId(payment),
    discount_id: discountId(payment),
    subscription_id: isSubscription ? subscriptionId(payment) : null,
    checkout_id: payment.reason === 'purchase' ? checkoutId(payment) : null,
    next_payment_attempt_at: null,
    metadata: payment.metadata,
    custom_field_data: {},
    platform_fee_amount: Math.round(amounts.totalCents * 0.04),
    platform_fee_currency: payment.currency.toLowerCase(),
    customer: customerOf(organizationId, payment),
    product: productOf(organizationId, payment),
    discount: discountOf(organizationId, payment),
    subscription: state.subscription,
    items: linesOf(payment, previous).map(({ label, cents, taxCents, proration }, index) => ({
      created_at: inMilliseconds(payment.at),
      modified_at: null,
      id: uuidFrom('order item', name, index),
      label,
      amount: cents,
      tax_amount: taxCents,
      proration,
      product_price_id: priceId(payment),
    })),
    description: product,
    refundable_amount: amounts.netCents - refundedCents,
    refundable_tax_amount: amounts.taxCents - refunded.taxCents,
  }
}

const reasonOf = ({ mode, reason }: Payment) => {
  if (mode === 'payment') return 'purchase'
  return { purchase: 'subscription_create', renewal: 'subscription_cycle', upgrade: 'subscription_update' }[reason]
}

/** An upgrade credits the unused time and charges the new price, in two lines. */
const linesOf = (payment: Payment, previous: Payment | null) => {
  const { amounts, product } = payment
  const { priceCents: cents, taxCents } = amounts
  if (payment.reason !== 'upgrade' || !previous) return [{ label: product, cents, taxCents, proration: false }]
  const rate = cents / (payment.priceCents - previous.priceCents)
  const unusedCents = Math.round(previous.priceCents * rate)
  const unusedTaxCents = taxIn(unusedCents, payment)
  return [
    {
      label: `Remaining time on ${product}`,
      cents: cents + unusedCents,
      taxCents: taxCents + unusedTaxCents,
      proration: true,
    },
    { label: `Unused time on ${previous.product}`, cents: -unusedCents, taxCents: -unusedTaxCents, proration: true },
  ]
}
