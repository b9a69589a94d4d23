import type { Payment, Refund } from '../fake.ts'
import { uuidFrom } from '../fake-ids.ts'
import { inMilliseconds } from '../moments.ts'
import { customerId, orderId, subscriptionId } from './names.ts'

type RefundState = Pick<Refund, 'name' | 'at' | 'totalCents' | 'taxCents'> & {
  status: 'pending' | 'succeeded' | 'failed'
  /** Polar refunds some payments before the customer's bank opens a dispute. */
  preventsDispute?: boolean
}

/** `amount` is without tax. */
export const refundOf = (organizationId: string, payment: Payment, refund: RefundState) => {
  const { name, at, totalCents, taxCents, status, preventsDispute = false } = refund
  const currency = payment.currency.toLowerCase()
  const cents = { amount: totalCents - taxCents, tax_amount: taxCents, currency }
  return {
    created_at: inMilliseconds(at),
    modified_at: null,
    id: uuidFrom('refund', name),
    metadata: {},
    status,
    reason: preventsDispute ? 'dispute_prevention' : 'customer_request',
    ...cents,
    organization_id: organizationId,
    order_id: orderId(payment),
    subscription_id: payment.mode === 'subscription' ? subscriptionId(payment) : null,
    customer_id: customerId(payment),
    revoke_benefits: false,
    dispute: preventsDispute
      ? {
          created_at: inMilliseconds(at),
          modified_at: null,
          id: uuidFrom('dispute', payment.name),
          status: 'prevented',
          resolved: true,
          closed: true,
          ...cents,
          reason: 'fraudulent',
          evidence_due_by: null,
          past_due: false,
          order_id: orderId(payment),
          payment_id: uuidFrom('payment', payment.name),
        }
      : null,
  }
}
