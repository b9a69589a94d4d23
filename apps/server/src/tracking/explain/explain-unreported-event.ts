import { EVENT_REASONS, type EventReason, type Explanation, REASONS, type ReasonCode, say } from '@tributary/contract'
import { explainPlainly } from '../../explain/answer.ts'
import { toEntry, toStep, withSteps } from '../../explain/parts.ts'
import type { Viewer } from './explain.ts'

/** A processor event that produced no payment report, with the reason. */
export type UnreportedEvent = {
  at: Date
  test: boolean
  fate: string
  reason: EventReason | ReasonCode
  references: string[]
}

type EventQuestion = { viewer: Viewer; invoiceId: string; event: UnreportedEvent }

/** Explains why a payment that arrived is not a sale. Only the merchant may see what the processor reported. */
export const explainUnreportedEvent = ({ viewer: { audience }, invoiceId, event }: EventQuestion): Explanation => {
  const { reason, test } = event
  const isMerchant = audience === 'merchant'
  const subject = { kind: 'invoice' as const, ...(isMerchant && { invoiceId }) }
  if (test) return explainPlainly(subject, { reason: 'invoice_only_as_test', audience })
  if (isPaymentReason(reason)) {
    const answer = explainPlainly(subject, { reason, audience, outcome: 'uncredited' })
    return { ...answer, timeline: isMerchant ? [toTimelineEntry(event, reason)] : [] }
  }
  const answer = explainPlainly(subject, { reason: 'invoice_never_received', audience })
  if (!isMerchant) return answer
  // The usual advice to send the sale again would be wrong: the processor already reported it.
  const steps = answer.steps.filter(({ kind }) => kind !== 'advice')
  const reported = `The payment processor reported it. ${EVENT_REASONS[reason]}`
  return withSteps(answer, [...steps, toStep('fact', reason, reported)])
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
