import type { Payment } from '../fake.ts'
import { inAMonth, inDays, inMicroseconds } from '../moments.ts'
import { discountId, productId, subscriptionId } from './names.ts'
import { BILLING, type Business, customerOf, discountsOf } from './parts.ts'

type State = { status: 'active' | 'cancelled' | 'expired'; at: number; startedAt: number; endsLater?: boolean }

export const subscriptionOf = (
  business: Business,
  payment: Payment,
  { status, at, startedAt, endsLater = false }: State,
) => {
  const { trialDays } = payment
  const nextAt = trialDays === null ? inAMonth(payment.at) : inDays(payment.at, trialDays)
  return {
    payload_type: 'Subscription',
    addons: [],
    billing: BILLING,
    brand_id: business.id,
    cancel_at_next_billing_date: endsLater,
    cancellation_comment: null,
    cancellation_feedback: null,
    cancelled_at: status === 'cancelled' || endsLater ? inMicroseconds(at) : null,
    created_at: inMicroseconds(startedAt),
    credit_entitlement_cart: [],
    currency: payment.currency,
    custom_field_responses: null,
    customer: customerOf(payment),
    customer_business_name: null,
    discount_cycles_remaining: null,
    discount_id: discountId(payment),
    discounts: discountsOf(business, payment),
    expires_at: inMicroseconds(startedAt + TEN_YEARS_MS),
    metadata: payment.metadata,
    meter_credit_entitlement_cart: [],
    meters: [],
    next_billing_date: inMicroseconds(nextAt),
    on_demand: false,
    paused_at: null,
    payment_frequency_count: 1,
    payment_frequency_interval: 'Month',
    payment_method_id: null,
    previous_billing_date: inMicroseconds(payment.at),
    product_id: productId(payment),
    quantity: 1,
    recurring_pre_tax_amount: payment.priceCents,
    scheduled_change: null,
    status,
    subscription_id: subscriptionId(payment),
    subscription_period_count: 10,
    subscription_period_interval: 'Year',
    tax_id: null,
    tax_inclusive: payment.taxInclusive,
    trial_amount: null,
    trial_period_days: trialDays ?? 0,
  }
}

const TEN_YEARS_MS = 3650 * 86_400_000
