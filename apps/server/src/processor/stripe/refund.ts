import { described } from '@tributary/contract'
import { idOf } from '../translating/fields.ts'
import { report } from '../translating/reports.ts'
import type { Translate } from '../translation.ts'
import { amountOf } from './amounts.ts'

/** A pending refund counts, as it does in Stripe's charge totals. */
const NOT_REFUNDED = ['failed', 'canceled']

/** refund.created, refund.updated, refund.failed, and the legacy charge.refund.updated. */
export const refundChanged: Translate = ({ object: refund, createdAt }) => {
  const refundId = idOf(refund)
  const amount = amountOf(refund.amount, refund.currency)
  if (!refundId || !amount || amount.cents === 0) return { ignored: 'amount_missing' }
  const state = NOT_REFUNDED.includes(String(refund.status)) ? 'failed' : 'made'
  const reason = typeof refund.reason === 'string' ? described(refund.reason, 100) : null
  return report({
    references: [idOf(refund.charge), idOf(refund.payment_intent)],
    at: createdAt,
    says: { kind: 'refund', refundId, grossCents: amount.cents, currency: amount.currency, state, reason },
  })
}
