import { idOf } from '../translating/fields.ts'
import { disputeReport, refundReport } from '../translating/reports.ts'
import type { Translate } from '../translation.ts'
import { amountOf } from './amounts.ts'

/** A pending refund counts, as it does in Stripe's charge totals. */
const NOT_REFUNDED = ['failed', 'canceled']

/** refund.created, refund.updated, refund.failed, and the legacy charge.refund.updated. */
export const refundChanged: Translate = ({ object: refund, createdAt: at }) =>
  refundReport({
    references: [idOf(refund.charge), idOf(refund.payment_intent)],
    at,
    refundId: idOf(refund),
    amount: amountOf(refund.amount, refund.currency),
    state: NOT_REFUNDED.includes(String(refund.status)) ? 'failed' : 'made',
    reason: refund.reason,
  })

/** Statuses in which the merchant keeps the money. A refund made instead is counted separately. */
const MERCHANT_KEEPS_MONEY = ['won', 'warning_closed', 'prevented', 'charge_refunded']

/** charge.dispute.*: the status decides, regardless of the event type. */
export const disputeChanged: Translate = ({ object: dispute, createdAt: at }) => {
  const status = String(dispute.status)
  return disputeReport({
    references: [idOf(dispute.charge), idOf(dispute.payment_intent)],
    at,
    disputeId: idOf(dispute),
    amount: amountOf(dispute.amount, dispute.currency),
    state: MERCHANT_KEEPS_MONEY.includes(status) ? 'won' : status === 'lost' ? 'lost' : 'open',
  })
}
