import { EVENT_REASONS, type EventReason, type Explanation, REASONS, type ReasonCode } from '@tributary/contract'
import { plainAnswer } from '../../explain/answer.ts'
import type { Reader } from '../../explain/words.ts'
import { EMPTY_SUBJECT, type Viewer } from './explain.ts'

/** A processor event that produced no payment report, with the reason. */
export type UnreportedEvent = {
  at: Date
  test: boolean
  fate: string
  reason: EventReason | ReasonCode
  references: string[]
}

type EventQuestion = { viewer: Viewer; invoiceId: string; event: UnreportedEvent }

/** Explains why a payment that arrived is not a sale. */
export const explainUnreportedEvent = ({ viewer: { audience }, invoiceId, event }: EventQuestion): Explanation => {
  const { reason, test } = event
  const isMerchant = audience === 'merchant'
  const reader: Reader = isMerchant ? { audience } : { audience, partnerId: null }
  const subject = { ...EMPTY_SUBJECT, kind: 'invoice' as const, ...(isMerchant && { invoiceId }) }
  const notReceived = { subject, outcome: 'not_received' as const, facts: null, timeline: [], commission: null }
  if (test)
    return { ...notReceived, reason: 'invoice_only_as_test', sentences: plainAnswer('invoice_only_as_test', reader) }
  if (isPaymentReason(reason)) {
    // Only the merchant may see what the processor reported.
    const timeline = isMerchant ? [toTimelineEntry(event, reason)] : []
    return { ...notReceived, outcome: 'uncredited', reason, sentences: plainAnswer(reason, reader), timeline }
  }
  // The usual advice to send the sale again would be wrong: the processor already reported it.
  const detail = isMerchant ? [`The payment processor reported it. ${EVENT_REASONS[reason]}`] : []
  return { ...notReceived, reason: 'invoice_never_received', sentences: [REASONS.invoice_never_received, ...detail] }
}

const isPaymentReason = (reason: string): reason is ReasonCode => Object.hasOwn(REASONS, reason)

const toTimelineEntry = (
  { at, fate, references }: UnreportedEvent,
  reason: ReasonCode,
): Explanation['timeline'][number] => ({
  at: at.toISOString(),
  event: 'payment',
  outcome: fate,
  reason,
  sentence: REASONS[reason],
  decidedOn: { references },
})
