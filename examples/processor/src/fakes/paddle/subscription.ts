import type { Payment } from '../fake.ts'
import { inAMonth, inDays, inMicroseconds } from '../moments.ts'
import { monthly, productOf, shortPriceOf } from './catalogue.ts'
import { addressId, customDataOf, customerId, subscriptionId, transactionId } from './names.ts'

type Change = {
  status: 'active' | 'trialing' | 'canceled'
  at: number
  /** When the subscription started. */
  startedAt: number
  endsLater?: boolean
}

/** `transaction_id` is in `subscription.created` only. */
export const createdSubscriptionOf = (payment: Payment, change: Change) => ({
  ...subscriptionOf(payment, change),
  transaction_id: transactionId(payment),
})

export const subscriptionOf = (payment: Payment, { status, at, startedAt, endsLater = false }: Change) => {
  const { trialDays, currency } = payment
  const isOver = status === 'canceled'
  const endsAt = trialDays === null ? inAMonth(payment.at) : inDays(payment.at, trialDays)
  const next = isOver || endsLater ? null : inMicroseconds(endsAt)
  const trial = { starts_at: inMicroseconds(payment.at), ends_at: inMicroseconds(endsAt) }
  return {
    id: subscriptionId(payment),
    items: [
      {
        price: shortPriceOf(payment),
        product: productOf(payment),
        status: status === 'trialing' ? 'trialing' : 'active',
        quantity: 1,
        recurring: true,
        created_at: inMicroseconds(startedAt),
        updated_at: inMicroseconds(at),
        trial_dates: trialDays === null ? null : trial,
        next_billed_at: next,
        previously_billed_at: status === 'trialing' ? null : inMicroseconds(payment.at),
      },
    ],
    status,
    paused_at: null,
    address_id: addressId(payment),
    created_at: inMicroseconds(startedAt),
    started_at: inMicroseconds(startedAt),
    updated_at: inMicroseconds(at),
    business_id: null,
    canceled_at: isOver ? inMicroseconds(at) : null,
    // Recurring discounts only; those of the first payment are on its transaction.
    discount: null,
    custom_data: customDataOf(payment),
    customer_id: customerId(payment),
    billing_cycle: monthly,
    currency_code: currency,
    next_billed_at: next,
    billing_details: null,
    collection_mode: 'automatic',
    first_billed_at: status === 'trialing' ? null : inMicroseconds(startedAt),
    scheduled_change: endsLater ? { action: 'cancel', effective_at: inMicroseconds(endsAt), resume_at: null } : null,
    current_billing_period: isOver ? null : { ends_at: inMicroseconds(endsAt), starts_at: inMicroseconds(payment.at) },
  }
}
