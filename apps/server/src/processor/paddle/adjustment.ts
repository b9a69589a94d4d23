import { amountOf } from '../translating/amounts.ts'
import { type Fields, idOf, read } from '../translating/fields.ts'
import { disputeReport, refundReport, report } from '../translating/reports.ts'
import type { Translate } from '../translation.ts'

/** Without tax. Totals of an adjustment are its own, never cumulative. */
const netOf = (adjustment: Fields) =>
  amountOf(
    read(adjustment, 'totals', 'subtotal'),
    read(adjustment, 'totals', 'currency_code') ?? adjustment.currency_code,
  )

/** Most refunds wait for Paddle's approval, and only approved ones count. A refund that failed once never counts again. */
const REFUND_STATES = new Map<unknown, 'made' | 'failed'>([
  ['approved', 'made'],
  ['rejected', 'failed'],
  ['reversed', 'failed'],
])

const refunded: Translate = ({ object: adjustment, createdAt: at }) => {
  const state = REFUND_STATES.get(adjustment.status)
  if (!state) return { ignored: 'refund_pending' }
  const refund = { refundId: idOf(adjustment.id), amount: netOf(adjustment), state, reason: adjustment.reason }
  return refundReport({ references: [idOf(adjustment.transaction_id)], at, ...refund })
}

type DisputeKind = 'chargeback' | 'chargeback_warning'

/**
 * Paddle takes the money back when a chargeback starts, and returns it with a second adjustment if it wins; it never says that
 * one is lost for good. A transaction can have several.
 */
const disputed =
  (kind: DisputeKind): Translate =>
  ({ object: adjustment, createdAt: at }) => {
    const state = adjustment.status === 'reversed' ? 'won' : 'open'
    const dispute = { disputeId: idOf(adjustment.id), series: kind, amount: netOf(adjustment), state } as const
    return disputeReport({ references: [idOf(adjustment.transaction_id)], at, ...dispute })
  }

/** The second adjustment names only the transaction. */
const reversed =
  (kind: DisputeKind): Translate =>
  ({ object: adjustment, createdAt: at }) =>
    report({ references: [idOf(adjustment.transaction_id)], at, says: { kind: 'disputes_won', series: kind } })

/** Other adjustments are credits: they return no money. */
const BY_ACTION: Record<string, Translate> = {
  refund: refunded,
  chargeback: disputed('chargeback'),
  chargeback_reverse: reversed('chargeback'),
  chargeback_warning: disputed('chargeback_warning'),
  chargeback_warning_reverse: reversed('chargeback_warning'),
}

/** adjustment.created, adjustment.updated: the action and status decide, regardless of the event type. */
export const adjustmentChanged: Translate = (event) => {
  const action = String(event.object.action)
  const translation = Object.hasOwn(BY_ACTION, action) && BY_ACTION[action]?.(event)
  return translation || { ignored: 'other_event' }
}
