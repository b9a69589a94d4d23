import type { Payment } from '../fake.ts'
import { inAMonth, inDays, inMilliseconds } from '../moments.ts'
import { checkoutId, customerId, discountId, priceId, productId, subscriptionId } from './names.ts'
import { customerOf, discountOf, productOf } from './parts.ts'

export type SubscriptionState = {
  status: 'trialing' | 'active' | 'canceled'
  at: number
  startedAt: number
  /** Canceled by the customer; it stays active until the end of the period. */
  endsLater?: boolean
}

/** As orders contain it. Amounts and currencies are lowercase and in minor units. */
export const briefSubscriptionOf = (
  payment: Payment,
  { status, at, startedAt, endsLater = false }: SubscriptionState,
) => {
  const { trialDays } = payment
  const isTrial = trialDays !== null
  const periodEnd = inMilliseconds(isTrial ? inDays(payment.at, trialDays) : inAMonth(payment.at))
  const isOver = status === 'canceled'
  const isCanceled = isOver || endsLater
  return {
    metadata: payment.metadata,
    created_at: inMilliseconds(startedAt),
    modified_at: inMilliseconds(at),
    id: subscriptionId(payment),
    amount: payment.priceCents,
    currency: payment.currency.toLowerCase(),
    recurring_interval: 'month',
    recurring_interval_count: 1,
    status,
    current_period_start: inMilliseconds(payment.at),
    current_period_end: periodEnd,
    current_meter_period_start: null,
    current_meter_period_end: null,
    trial_start: isTrial ? inMilliseconds(payment.at) : null,
    trial_end: isTrial ? periodEnd : null,
    cancel_at_period_end: endsLater,
    canceled_at: isCanceled ? inMilliseconds(at) : null,
    started_at: inMilliseconds(startedAt),
    ends_at: isOver ? inMilliseconds(at) : endsLater ? periodEnd : null,
    ended_at: isOver ? inMilliseconds(at) : null,
    past_due_at: null,
    pause_at_period_end: false,
    paused_at: null,
    resumes_at: null,
    customer_id: customerId(payment),
    product_id: productId(payment),
    discount_id: discountId(payment),
    checkout_id: checkoutId(payment),
    seats: null,
    customer_cancellation_reason: null,
    customer_cancellation_comment: null,
  }
}

/** As subscription events contain it. */
export const subscriptionOf = (organizationId: string, payment: Payment, state: SubscriptionState) => ({
  ...briefSubscriptionOf(payment, state),
  custom_field_data: {},
  customer: customerOf(organizationId, payment),
  product: {
    ...productOf(organizationId, payment),
    prices: [priceOf(payment, state)],
    benefits: [],
    medias: [],
    attached_custom_fields: [],
  },
  discount: discountOf(organizationId, payment),
  prices: [priceOf(payment, state)],
  meters: [],
  pending_update: null,
})

const priceOf = (payment: Payment, { startedAt }: SubscriptionState) => ({
  created_at: inMilliseconds(startedAt),
  modified_at: null,
  id: priceId(payment),
  source: 'catalog',
  amount_type: 'fixed',
  price_currency: payment.currency.toLowerCase(),
  tax_behavior: payment.taxInclusive ? 'inclusive' : 'exclusive',
  is_archived: false,
  product_id: productId(payment),
  type: 'recurring',
  recurring_interval: 'month',
  price_amount: payment.priceCents,
  legacy: true,
})
