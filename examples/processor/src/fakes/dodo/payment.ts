import type { DisputeStep, Payment, Refund } from '../fake.ts'
import { dodoId } from '../fake-ids.ts'
import { inMicroseconds } from '../moments.ts'
import { checkoutId, discountId, paymentId, productId, subscriptionId } from './names.ts'
import { BILLING, type Business, customerOf, discountsOf } from './parts.ts'

/** `total_amount` includes `tax`. The settlement is what the merchant gets, in another currency. */
export const paymentOf = (business: Business, payment: Payment) => {
  const { amounts, at, currency, mode, reason, refunded } = payment
  const isSubscription = mode === 'subscription'
  const host = business.isTest ? 'test.checkout.dodopayments.com' : 'checkout.dodopayments.com'
  return {
    payload_type: 'Payment',
    billing: BILLING,
    brand_id: business.id,
    business_id: business.id,
    card_holder_name: payment.customerName,
    card_issuing_country: 'US',
    card_last_four: '4242',
    card_network: 'visa',
    card_type: 'credit',
    checkout_session_id: reason === 'purchase' ? checkoutId(payment) : null,
    created_at: inMicroseconds(at),
    currency,
    custom_field_responses: null,
    customer: customerOf(payment),
    digital_products_delivered: false,
    discount_id: discountId(payment),
    discounts: discountsOf(business, payment),
    disputes: [],
    error_code: null,
    error_message: null,
    invoice_id: dodoId('inv', payment.name),
    invoice_url: `https://${host}/invoices/payments/${paymentId(payment)}`,
    is_update_payment_method: false,
    metadata: payment.metadata,
    payment_id: paymentId(payment),
    payment_link: reason === 'purchase' ? `https://${host}/sample` : null,
    payment_method: 'card',
    payment_method_id: null,
    payment_method_type: 'credit',
    payment_provider: 'dodo',
    product_cart: isSubscription ? null : [{ product_id: productId(payment), quantity: 1 }],
    refund_status: refunded.totalCents === 0 ? null : refunded.totalCents === amounts.totalCents ? 'full' : 'partial',
    refunds: [],
    retry_attempt: 0,
    settlement_amount: Math.round(amounts.totalCents * settlementRate(currency)),
    settlement_currency: 'USD',
    settlement_tax: Math.round(amounts.taxCents * settlementRate(currency)),
    status: 'succeeded',
    subscription_id: isSubscription ? subscriptionId(payment) : null,
    tax: amounts.taxCents,
    total_amount: amounts.totalCents,
    updated_at: null,
  }
}

const settlementRate = (currency: string) => (currency === 'USD' ? 1 : 1.25)

/** `amount` includes tax and is this refund's own. */
export const refundOf = (business: Business, payment: Payment, { name, at, totalCents, isFull, outcome }: Refund) => ({
  payload_type: 'Refund',
  amount: totalCents,
  brand_id: business.id,
  business_id: business.id,
  created_at: inMicroseconds(at),
  currency: payment.currency,
  customer: customerOf(payment),
  is_partial: !isFull,
  metadata: {},
  payment_id: paymentId(payment),
  reason: null,
  refund_id: dodoId('ref', name),
  status: outcome === 'fails' ? 'failed' : 'succeeded',
})

/** The amount of a dispute is a string. */
export const disputeOf = (business: Business, payment: Payment, step: DisputeStep, openedAt: number) => ({
  payload_type: 'Dispute',
  amount: String(payment.amounts.totalCents),
  brand_id: business.id,
  business_id: business.id,
  created_at: inMicroseconds(openedAt),
  currency: payment.currency,
  customer: customerOf(payment),
  dispute_id: dodoId('dp', payment.name),
  dispute_stage: 'dispute',
  dispute_status: `dispute_${step}`,
  is_resolved_by_rdr: false,
  payment_id: paymentId(payment),
  payment_provider: 'dodo',
  reason: 'fraudulent',
  remarks: null,
})
