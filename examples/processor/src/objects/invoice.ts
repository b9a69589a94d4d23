import { idFrom } from '../ids.ts'
import { type Payment, totalCents } from '../payment.ts'
import { listOf, shapeOf, type WireObject } from '../shapes.ts'
import { periodOf } from './subscription.ts'

type Stage = 'draft' | 'open' | 'paid'

export const invoiceOf = (payment: Payment, stage: Stage): WireObject => {
  const { ids, generation, taxCents, subtotalCents } = payment
  const total = totalCents(payment)
  const paidCents = stage === 'paid' ? total : 0
  const shape = shapeOf(generation, 'invoice')
  return {
    ...shape,
    id: ids.invoice,
    livemode: payment.livemode,
    created: payment.at,
    period_start: payment.at,
    period_end: payment.at,
    status: stage,
    number: stage === 'draft' ? null : `${(ids.customer ?? '').slice(-8).toUpperCase()}-0001`,
    billing_reason: payment.kind === 'renewal' ? 'subscription_cycle' : 'subscription_create',
    currency: payment.currency,
    customer: ids.customer,
    customer_email: payment.email,
    customer_name: payment.customerName,
    subtotal: subtotalCents,
    subtotal_excluding_tax: subtotalCents,
    total,
    total_excluding_tax: subtotalCents,
    amount_due: total,
    amount_paid: paidCents,
    amount_remaining: total - paidCents,
    attempted: stage === 'paid' || payment.status !== 'open',
    attempt_count: stage === 'paid' ? 1 : 0,
    effective_at: stage === 'draft' ? null : payment.at,
    lines: listOf(`/v1/invoices/${ids.invoice}/lines`, [lineOf(payment, shape)]),
    // Subscription metadata is not copied to the invoice.
    metadata: {},
    status_transitions: {
      finalized_at: stage === 'draft' ? null : payment.at,
      marked_uncollectible_at: null,
      paid_at: stage === 'paid' ? payment.at : null,
      voided_at: null,
    },
    webhooks_delivered_at: payment.at,
    ...(generation === 2024 ? before2025(payment, stage) : since2025(payment)),
    ...(generation === 2024 ? { tax: taxCents || null } : {}),
  }
}

const before2025 = ({ ids, metadata, taxCents, subtotalCents }: Payment, stage: Stage) => ({
  subscription: ids.subscription,
  subscription_details: { metadata: metadata.subscription },
  payment_intent: stage === 'draft' ? null : ids.intent,
  charge: stage === 'paid' ? ids.charge : null,
  paid: stage === 'paid',
  total_tax_amounts: taxCents > 0 ? [taxAmount(taxCents, subtotalCents)] : [],
})

const since2025 = ({ ids, metadata, taxCents, subtotalCents }: Payment) => ({
  parent: {
    quote_details: null,
    subscription_details: { metadata: metadata.subscription, subscription: ids.subscription },
    type: 'subscription_details',
  },
  total_taxes:
    taxCents > 0
      ? [
          {
            amount: taxCents,
            tax_behavior: 'exclusive',
            tax_rate_details: { tax_rate: 'txr_1Standin' },
            taxability_reason: 'standard_rated',
            taxable_amount: subtotalCents,
            type: 'tax_rate_details',
          },
        ]
      : [],
})

const taxAmount = (amount: number, taxable: number) => ({
  amount,
  inclusive: false,
  tax_rate: 'txr_1Standin',
  taxability_reason: 'standard_rated',
  taxable_amount: taxable,
})

const lineOf = (payment: Payment, invoice: WireObject): WireObject => {
  const { ids, generation, subtotalCents, taxCents } = payment
  const [sample] = (invoice.lines as { data: WireObject[] }).data
  const item = idFrom('si', ids.subscription ?? '')
  return {
    ...sample,
    id: idFrom('il', ids.invoice ?? ''),
    invoice: ids.invoice,
    livemode: payment.livemode,
    amount: subtotalCents,
    currency: payment.currency,
    description: `${payment.quantity} × ${payment.product}`,
    quantity: payment.quantity,
    period: periodOf(payment),
    metadata: payment.metadata.subscription,
    ...(generation === 2024
      ? {
          type: 'subscription',
          subscription: ids.subscription,
          subscription_item: item,
          amount_excluding_tax: subtotalCents,
          tax_amounts: taxCents > 0 ? [taxAmount(taxCents, subtotalCents)] : [],
        }
      : {
          subtotal: subtotalCents,
          parent: {
            invoice_item_details: null,
            subscription_item_details: {
              invoice_item: null,
              proration: false,
              proration_details: { credited_items: null },
              subscription: ids.subscription,
              subscription_item: item,
            },
            type: 'subscription_item_details',
          },
        }),
  }
}

/** Since 2025, this is the only object that links an intent to its invoice. */
export const invoicePaymentOf = (payment: Payment): WireObject => {
  const isPaid = payment.status === 'paid'
  return {
    ...shapeOf(2026, 'invoice_payment'),
    id: payment.ids.invoicePayment,
    livemode: payment.livemode,
    created: payment.at,
    invoice: payment.ids.invoice,
    is_default: true,
    amount_requested: totalCents(payment),
    amount_paid: isPaid ? totalCents(payment) : null,
    currency: payment.currency,
    payment: { type: 'payment_intent', payment_intent: payment.ids.intent },
    status: isPaid ? 'paid' : 'open',
    status_transitions: { canceled_at: null, paid_at: isPaid ? payment.at : null },
  }
}
