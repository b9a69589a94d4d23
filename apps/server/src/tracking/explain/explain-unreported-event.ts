import { EVENT_REASONS, type EventReason, type Explanation, REASONS, type ReasonCode, say } from '@tributary/contract'
import { plainAnswer } from '../../explain/answer.ts'
import { toEntry, toExplanation, toStep } from '../../explain/parts.ts'
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
  const isMerchant = audience === 'merchant'
  const subject = { ...EMPTY_SUBJECT, kind: 'invoice' as const, ...(isMerchant && { invoiceId }) }
  return toExplanation({ ...explainReason(event, audience), subject, facts: null, commission: null })
}

const explainReason = (event: UnreportedEvent, audience: Viewer['audience']) => {
  const { reason, test } = event
  const notReceived = { outcome: 'not_received' as const, timeline: [] }
  if (test)
    return {
      ...notReceived,
      reason: 'invoice_only_as_test' as const,
      steps: plainAnswer('invoice_only_as_test', audience),
    }
  if (isPaymentReason(reason)) {
    // Only the merchant may see what the processor reported.
    const timeline = audience === 'merchant' ? [toTimelineEntry(event, reason)] : []
    return { outcome: 'uncredited' as const, reason, steps: plainAnswer(reason, audience), timeline }
  }
  // The usual advice to send the sale again would be wrong: the processor already reported it.
  const steps = [toStep('reason', 'invoice_never_received', REASONS.invoice_never_received)]
  if (audience === 'merchant')
    steps.push(toStep('fact', reason, `The payment processor reported it. ${EVENT_REASONS[reason]}`))
  return { ...notReceived, reason: 'invoice_never_received' as const, steps }
}

const isPaymentReason = (reason: string): reason is ReasonCode => Object.hasOwn(REASONS, reason)

const toTimelineEntry = ({ at, fate, references }: UnreportedEvent, reason: ReasonCode) =>
  toEntry({
    at: at.toISOString(),
    event: 'payment',
    outcome: fate,
    reason,
    parts: say`${REASONS[reason]}`,
    decidedOn: { references },
  })
