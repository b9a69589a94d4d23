import type { Payment, Refund } from '../fake.ts'
import { paddleId } from '../fake-ids.ts'
import { inMicroseconds } from '../moments.ts'
import { customerId, subscriptionId, transactionId } from './names.ts'

type Adjustment = Pick<Refund, 'name' | 'totalCents' | 'taxCents' | 'isFull'> & {
  action: 'refund' | 'chargeback' | 'chargeback_reverse' | 'chargeback_warning' | 'chargeback_warning_reverse'
  status: 'pending_approval' | 'approved' | 'rejected' | 'reversed'
  reason: string
  createdAt: number
  /** Null when it is new: Paddle then sends the year 1. */
  updatedAt: number | null
}

/** A refund or a dispute. Its amounts are its own, never cumulative. */
export const adjustmentOf = (payment: Payment, adjustment: Adjustment) => {
  const { name, totalCents, taxCents, isFull, action, createdAt, updatedAt } = adjustment
  const { currency, mode } = payment
  const subtotalCents = totalCents - taxCents
  const amounts = { tax: String(taxCents), total: String(totalCents), subtotal: String(subtotalCents) }
  const type = isFull ? 'full' : 'partial'
  const feeCents = Math.round(totalCents * 0.05)
  const settled = {
    ...amounts,
    fee: String(feeCents),
    earnings: String(subtotalCents - feeCents),
    currency_code: currency,
    retained_fee: '0',
  }
  return {
    id: paddleId('adj', name),
    items: [
      {
        id: paddleId('adjitm', name),
        type,
        amount: String(totalCents),
        totals: amounts,
        item_id: paddleId('txnitm', payment.name, 0),
        proration: null,
      },
    ],
    action,
    type,
    reason: adjustment.reason,
    status: adjustment.status,
    totals: settled,
    created_at: inMicroseconds(createdAt),
    updated_at: updatedAt === null ? '0001-01-01T00:00:00Z' : inMicroseconds(updatedAt),
    customer_id: customerId(payment),
    currency_code: currency,
    payout_totals: action === 'refund' ? settled : { ...settled, chargeback_fee: { amount: '1500', original: null } },
    transaction_id: transactionId(payment),
    subscription_id: mode === 'subscription' ? subscriptionId(payment) : null,
    credit_applied_to_balance: null,
  }
}
