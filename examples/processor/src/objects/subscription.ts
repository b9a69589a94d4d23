import { idFrom } from '../ids.ts'
import type { Payment } from '../payment.ts'
import { listOf, shapeOf, type WireObject } from '../shapes.ts'

const MONTH = 30 * 86_400

export const periodOf = ({ at }: Payment) => ({ start: at, end: at + MONTH })

type Status = 'incomplete' | 'active' | 'trialing' | 'past_due' | 'canceled'

/** The subscription after its latest payment. */
export const subscriptionOf = (payment: Payment, status: Status): WireObject => {
  const { ids, generation } = payment
  const { start, end } = periodOf(payment)
  const isOver = status === 'canceled'
  return {
    ...shapeOf(generation, 'subscription'),
    id: ids.subscription,
    livemode: payment.livemode,
    created: payment.at,
    start_date: payment.at,
    billing_cycle_anchor: payment.at,
    cancel_at_period_end: false,
    canceled_at: isOver ? payment.at : null,
    ended_at: isOver ? payment.at : null,
    cancellation_details: { comment: null, feedback: null, reason: isOver ? 'cancellation_requested' : null },
    status,
    trial_start: status === 'trialing' ? start : null,
    trial_end: status === 'trialing' ? end : null,
    currency: payment.currency,
    customer: ids.customer,
    description: null,
    items: listOf(`/v1/subscription_items?subscription=${ids.subscription}`, [itemOf(payment)]),
    latest_invoice: ids.invoice,
    metadata: payment.metadata.subscription,
    ...(generation === 2024 && { current_period_start: start, current_period_end: end }),
  }
}

const itemOf = (payment: Payment): WireObject => {
  const shape = shapeOf(payment.generation, 'subscription')
  const [sample] = (shape.items as { data: WireObject[] }).data
  const { start, end } = periodOf(payment)
  const price = idFrom('price', payment.product, payment.subtotalCents)
  const unitCents = Math.round(payment.subtotalCents / payment.quantity)
  const common = {
    id: price,
    currency: payment.currency,
    livemode: payment.livemode,
    product: idFrom('prod', payment.product),
  }
  return {
    ...sample,
    id: idFrom('si', payment.ids.subscription ?? ''),
    created: payment.at,
    subscription: payment.ids.subscription,
    quantity: payment.quantity,
    price: {
      ...(sample?.price as WireObject),
      ...common,
      unit_amount: unitCents,
      unit_amount_decimal: String(unitCents),
    },
    plan: {
      ...(sample?.plan as WireObject),
      ...common,
      billing_scheme: 'per_unit',
      amount: unitCents,
      amount_decimal: String(unitCents),
      interval_count: 1,
      metadata: {},
    },
    ...(payment.generation === 2026 && { current_period_start: start, current_period_end: end }),
  }
}
