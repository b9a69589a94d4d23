import { described } from '@tributary/contract'
import { amountOf } from '../translating/amounts.ts'
import { type Fields, idOf, read } from '../translating/fields.ts'
import { report } from '../translating/reports.ts'
import type { IncomingEvent, Translate, Translation, UnassignedReport } from '../translation.ts'

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

const refunded = ({ object: adjustment, createdAt }: IncomingEvent): Translation<UnassignedReport> => {
  const refundId = idOf(adjustment.id)
  const net = netOf(adjustment)
  const state = REFUND_STATES.get(adjustment.status)
  if (!state) return { ignored: 'refund_pending' }
  if (!refundId || !net) return { ignored: 'amount_missing' }
  return report<number | null>({
    references: [idOf(adjustment.transaction_id)],
    at: createdAt,
    says: {
      kind: 'refund',
      refundId,
      grossCents: net.cents,
      currency: net.currency,
      state,
      reason: typeof adjustment.reason === 'string' ? described(adjustment.reason, 100) : null,
    },
  })
}

type DisputeKind = 'chargeback' | 'chargeback_warning'

/**
 * Paddle takes the money back when a chargeback starts, and returns it with a second adjustment if it wins; it never says that
 * one is lost for good. A transaction can have several.
 */
const disputed =
  (kind: DisputeKind): Translate<UnassignedReport> =>
  ({ object: adjustment, createdAt }) => {
    const [transactionId, disputeId] = [idOf(adjustment.transaction_id), idOf(adjustment.id)]
    if (!disputeId) return { ignored: 'no_payment_named' }
    const net = netOf(adjustment)
    const disputed = net ? { grossCents: net.cents, currency: net.currency } : { grossCents: null }
    const state = adjustment.status === 'reversed' ? 'won' : 'open'
    return report<number | null>({
      references: [transactionId],
      at: createdAt,
      says: { kind: 'dispute', disputeId, series: kind, state, ...disputed },
    })
  }

/** The second adjustment names only the transaction. */
const reversed =
  (kind: DisputeKind): Translate<UnassignedReport> =>
  ({ object: adjustment, createdAt }) =>
    report<number | null>({
      references: [idOf(adjustment.transaction_id)],
      at: createdAt,
      says: { kind: 'disputes_won', series: kind },
    })

/** Other adjustments are credits: they return no money. */
const BY_ACTION: Record<string, Translate<UnassignedReport>> = {
  refund: refunded,
  chargeback: disputed('chargeback'),
  chargeback_reverse: reversed('chargeback'),
  chargeback_warning: disputed('chargeback_warning'),
  chargeback_warning_reverse: reversed('chargeback_warning'),
}

/** adjustment.created, adjustment.updated: the action and status decide, regardless of the event type. */
export const adjustmentChanged: Translate<UnassignedReport> = (event) => {
  const action = String(event.object.action)
  const translation = Object.hasOwn(BY_ACTION, action) && BY_ACTION[action]?.(event)
  return translation || { ignored: 'other_event' }
}
