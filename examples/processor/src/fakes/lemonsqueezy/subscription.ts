import type { Payment } from '../fake.ts'
import { numberFrom } from '../fake-ids.ts'
import { inAMonth, inDays, inWholeSeconds } from '../moments.ts'
import { customerId, orderId, productId, subscriptionId, variantId } from './names.ts'
import type { Store } from './order.ts'
import { resourceOf } from './resource.ts'

const STATUSES = { on_trial: 'On_trial', active: 'Active', cancelled: 'Cancelled', expired: 'Expired' }

type State = { status: keyof typeof STATUSES; at: number; startedAt: number }

export const subscriptionOf = (store: Store, payment: Payment, { status, at, startedAt }: State) => {
  const { trialDays } = payment
  const isEnding = status === 'cancelled' || status === 'expired'
  const trialEndsAt = trialDays === null ? null : inWholeSeconds(inDays(payment.at, trialDays))
  const renewsAt = trialEndsAt ?? inWholeSeconds(inAMonth(payment.at))
  const endsAt = status === 'expired' ? inWholeSeconds(at) : renewsAt
  const id = subscriptionId(payment)
  const attributes = {
    store_id: store.id,
    customer_id: customerId(payment),
    order_id: orderId(payment),
    order_item_id: numberFrom('order item', payment.purchase),
    product_id: productId(payment),
    variant_id: variantId(payment),
    product_name: payment.product,
    variant_name: 'Default',
    user_name: payment.customerName,
    user_email: payment.email,
    status,
    status_formatted: STATUSES[status],
    card_brand: 'visa',
    card_last_four: '4242',
    pause: null,
    cancelled: isEnding,
    trial_ends_at: trialEndsAt,
    billing_anchor: new Date(startedAt).getUTCDate(),
    first_subscription_item: {
      id: numberFrom('subscription item', payment.purchase),
      subscription_id: id,
      price_id: numberFrom('price', payment.product, payment.priceCents),
      quantity: 1,
      created_at: inWholeSeconds(startedAt),
      updated_at: inWholeSeconds(at),
    },
    urls: {
      update_payment_method: `https://store.lemonsqueezy.com/subscription/${id}/payment-details?signature=sample`,
      customer_portal: 'https://store.lemonsqueezy.com/billing?signature=sample',
    },
    renews_at: renewsAt,
    ends_at: isEnding ? endsAt : null,
    created_at: inWholeSeconds(startedAt),
    updated_at: inWholeSeconds(at),
    test_mode: store.isTest,
  }
  return resourceOf('subscriptions', id, attributes, [
    'store',
    'customer',
    'order',
    'order-item',
    'product',
    'variant',
    'subscription-items',
    'subscription-invoices',
  ])
}
