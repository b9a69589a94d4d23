import { type Payment, totalCents } from '../payment.ts'
import { shapeOf, type WireObject } from '../shapes.ts'

export type Dispute = { id: string; at: number; status: 'needs_response' | 'won' | 'lost' }

export const disputeOf = (payment: Payment, { id, at, status }: Dispute): WireObject => ({
  ...shapeOf(payment.generation, 'dispute'),
  id,
  livemode: payment.livemode,
  created: at,
  amount: totalCents(payment),
  currency: payment.currency,
  charge: payment.ids.charge,
  payment_intent: payment.ids.intent,
  reason: 'fraudulent',
  status,
  is_charge_refundable: false,
})
