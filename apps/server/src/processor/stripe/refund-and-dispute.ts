import { idOf } from '../translating/fields.ts'
import { disputeReport, refundReport } from '../translating/reports.ts'
import type { IncomingEvent, Translate } from '../translation.ts'
import { amountOf } from './read-payment.ts'

const partsOf = ({ object, createdAt }: IncomingEvent) => ({
  references: [idOf(object.charge), idOf(object.payment_intent)],
  at: createdAt,
  amount: amountOf(object.amount, object.currency),
})

/** A pending refund counts, as it does in Stripe's charge totals. */
const NOT_REFUNDED = ['failed', 'canceled']

/** refund.created, refund.updated, refund.failed, and the legacy charge.refund.updated. */
export const refundChanged: Translate = (event) => {
  const { status, reason } = event.object
  const state = NOT_REFUNDED.includes(String(status)) ? 'failed' : 'made'
  return refundReport({ ...partsOf(event), refundId: idOf(event.object), state, reason })
}

/** Statuses in which the merchant keeps the money. A refund made instead is counted separately. */
const MERCHANT_KEEPS_MONEY = ['won', 'warning_closed', 'prevented', 'charge_refunded']

/** charge.dispute.*: the status decides, regardless of the event type. */
export const disputeChanged: Translate = (event) => {
  const status = String(event.object.status)
  const state = MERCHANT_KEEPS_MONEY.includes(status) ? 'won' : status === 'lost' ? 'lost' : 'open'
  return disputeReport({ ...partsOf(event), disputeId: idOf(event.object), state })
}
