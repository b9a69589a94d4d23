import type { Payment } from '../fake.ts'
import { inMilliseconds } from '../moments.ts'
import { customerId, discountId, productId } from './names.ts'

const CREATED_AT = Date.UTC(2026, 0, 5)

export const ADDRESS = {
  line1: '1 Sample Street',
  line2: null,
  postal_code: '10001',
  city: 'New York',
  state: 'US-NY',
  country: 'US',
}

export const customerOf = (organizationId: string, payment: Payment) => ({
  id: customerId(payment),
  created_at: inMilliseconds(CREATED_AT),
  modified_at: null,
  metadata: {},
  external_id: null,
  email: payment.email,
  email_verified: false,
  type: 'individual',
  name: payment.customerName,
  billing_name: payment.customerName,
  billing_address: ADDRESS,
  tax_id: null,
  locale: 'en',
  organization_id: organizationId,
  default_payment_method_id: null,
  deleted_at: null,
  first_user_event_at: null,
  avatar_url: 'https://www.gravatar.com/avatar/xxx?d=404',
})

/** Orders contain the product without its prices, benefits and images. */
export const productOf = (organizationId: string, payment: Payment) => {
  const isRecurring = payment.mode === 'subscription'
  return {
    metadata: {},
    id: productId(payment),
    created_at: inMilliseconds(CREATED_AT),
    modified_at: null,
    trial_interval: payment.trialDays === null ? null : 'day',
    trial_interval_count: payment.trialDays,
    name: payment.product,
    description: null,
    visibility: 'public',
    recurring_interval: isRecurring ? 'month' : null,
    recurring_interval_count: isRecurring ? 1 : null,
    meter_interval: null,
    meter_interval_count: null,
    is_recurring: isRecurring,
    is_archived: false,
    organization_id: organizationId,
  }
}

/** The code's text is part of every order that used it. */
export const discountOf = (organizationId: string, payment: Payment) =>
  payment.discountCode === null
    ? null
    : {
        duration: 'once',
        type: 'fixed',
        amount: payment.discountCents,
        currency: payment.currency.toLowerCase(),
        amounts: { [payment.currency.toLowerCase()]: payment.discountCents },
        created_at: inMilliseconds(CREATED_AT),
        modified_at: null,
        id: discountId(payment),
        metadata: {},
        name: payment.discountCode,
        code: payment.discountCode,
        starts_at: null,
        ends_at: null,
        max_redemptions: null,
        max_redemptions_per_customer: null,
        redemptions_count: 1,
        organization_id: organizationId,
      }
