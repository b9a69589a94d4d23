import { type Payment, totalCents } from '../payment.ts'
import { shapeOf, type WireObject } from '../shapes.ts'

const STATUS: Record<Payment['status'], string> = {
  open: 'requires_payment_method',
  expired: 'canceled',
  processing: 'processing',
  paid: 'succeeded',
  failed: 'requires_payment_method',
}

export const paymentIntentOf = (payment: Payment): WireObject => {
  const { ids, status } = payment
  return {
    ...shapeOf(payment.generation, 'payment_intent'),
    id: ids.intent,
    livemode: payment.livemode,
    created: payment.at,
    amount: totalCents(payment),
    amount_received: status === 'paid' ? totalCents(payment) : 0,
    currency: payment.currency,
    status: STATUS[status],
    customer: ids.customer,
    description: ids.subscription ? `Subscription ${payment.kind === 'renewal' ? 'update' : 'creation'}` : null,
    // Subscription metadata is never copied to intents.
    metadata: payment.metadata.intent,
    latest_charge: status === 'open' ? null : ids.charge,
    client_secret: `${ids.intent}_secret_standin`,
    payment_method_types: [payment.method],
    receipt_email: payment.email,
    last_payment_error:
      status === 'failed' ? { type: 'card_error', code: 'payment_intent_payment_attempt_failed' } : null,
    ...(payment.generation === 2024 && { invoice: ids.invoice }),
  }
}
