import type { Translate } from '../translation.ts'
import { amountOf } from './amounts.ts'
import { idOf } from './reading.ts'
import { report } from './reports.ts'

/** An inquiry that was closed, and a dispute that was prevented, leave the money where it was; a refund in its place counts by itself. */
const KEPT = ['won', 'warning_closed', 'prevented', 'charge_refunded']

/** charge.dispute.*: its status says how it stands, whichever of the events brings it. */
export const disputeChanged: Translate = ({ object: dispute, createdAt }) => {
  const disputeId = idOf(dispute)
  if (!disputeId) return { ignored: 'no_payment_named' }
  const status = String(dispute.status)
  const state = KEPT.includes(status) ? 'won' : status === 'lost' ? 'lost' : 'open'
  const amount = amountOf(dispute.amount, dispute.currency)
  const disputed = amount ? { grossCents: amount.cents, currency: amount.currency } : { grossCents: null }
  return report({
    references: [idOf(dispute.charge), idOf(dispute.payment_intent)],
    at: createdAt,
    says: { kind: 'dispute', disputeId, state, ...disputed },
  })
}
