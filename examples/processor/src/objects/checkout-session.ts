import { type Payment, totalCents } from '../payment.ts'
import { shapeOf, type WireObject } from '../shapes.ts'

const DAY = 86_400

export const checkoutSessionOf = (payment: Payment): WireObject => {
  const { ids, mode, status, metadata } = payment
  const isDone = status !== 'open' && status !== 'expired'
  return {
    ...shapeOf(payment.generation, 'checkout.session'),
    id: ids.session,
    livemode: payment.livemode,
    created: payment.at,
    expires_at: payment.at + DAY,
    mode,
    status: status === 'open' || status === 'expired' ? status : 'complete',
    payment_status: paymentStatus(payment),
    // A subscription session references the invoice instead of the intent.
    payment_intent: mode === 'payment' && isDone ? ids.intent : null,
    setup_intent: ids.setupIntent,
    invoice: isDone ? ids.invoice : null,
    subscription: isDone ? ids.subscription : null,
    customer: isDone ? ids.customer : null,
    customer_creation: mode === 'payment' ? 'if_required' : null,
    customer_email: payment.email,
    customer_details: isDone
      ? {
          address: null,
          email: payment.email,
          name: payment.customerName,
          phone: null,
          tax_exempt: 'none',
          tax_ids: [],
          ...(payment.generation === 2026 && { business_name: null, individual_name: null }),
        }
      : null,
    client_reference_id: payment.clientReference,
    ...amounts(payment),
    metadata: metadata.session,
    payment_method_types: ['card', 'us_bank_account'],
    success_url: payment.successUrl,
    cancel_url: payment.cancelUrl,
    ui_mode: payment.generation === 2024 ? 'hosted' : 'hosted_page',
    url: status === 'open' ? payment.checkoutUrl : null,
  }
}

const paymentStatus = (payment: Payment) => {
  if (payment.status === 'open' || payment.status === 'expired') return 'unpaid'
  if (payment.mode === 'setup' || totalCents(payment) === 0) return 'no_payment_required'
  return payment.status === 'paid' ? 'paid' : 'unpaid'
}

const amounts = (payment: Payment) => {
  if (payment.mode === 'setup') return { amount_subtotal: null, amount_total: null, currency: null }
  return {
    amount_subtotal: payment.subtotalCents,
    amount_total: totalCents(payment),
    currency: payment.currency,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: payment.taxCents },
  }
}
