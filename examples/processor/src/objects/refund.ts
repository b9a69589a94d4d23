import { idFrom } from '../ids.ts'
import type { Payment } from '../payment.ts'
import { shapeOf, type WireObject } from '../shapes.ts'

export type Refund = { id: string; amountCents: number; at: number; reason: string | null; status: RefundStatus }
export type RefundStatus = 'pending' | 'succeeded' | 'failed'

export const refundOf = (payment: Payment, { id, amountCents, at, reason, status }: Refund): WireObject => ({
  ...shapeOf(payment.generation, 'refund'),
  id,
  created: at,
  amount: amountCents,
  currency: payment.currency,
  charge: payment.ids.charge,
  payment_intent: payment.ids.intent,
  balance_transaction: idFrom('txn', id),
  reason,
  status,
  ...(status === 'failed' && {
    failure_reason: 'lost_or_stolen_card',
    failure_balance_transaction: idFrom('txn', id, 'failed'),
  }),
})
