import { idOf } from '../translating/fields.ts'
import { report } from '../translating/reports.ts'
import type { Translate } from '../translation.ts'
import { amountOf } from './amounts.ts'

/** Statuses in which the merchant keeps the money. A refund made instead is counted separately. */
const MERCHANT_KEEPS_MONEY = ['won', 'warning_closed', 'prevented', 'charge_refunded']

/** charge.dispute.*: the status decides, regardless of the event type. */
export const disputeChanged: Translate = ({ object: dispute, createdAt }) => {
  const disputeId = idOf(dispute)
  if (!disputeId) return { ignored: 'no_payment_named' }
  const status = String(dispute.status)
  const state = MERCHANT_KEEPS_MONEY.includes(status) ? 'won' : status === 'lost' ? 'lost' : 'open'
  const amount = amountOf(dispute.amount, dispute.currency)
  const disputed = amount ? { grossCents: amount.cents, currency: amount.currency } : { grossCents: null }
  return report({
    references: [idOf(dispute.charge), idOf(dispute.payment_intent)],
    at: createdAt,
    says: { kind: 'dispute', disputeId, state, ...disputed },
  })
}
