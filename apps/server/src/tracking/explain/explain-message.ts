import { EVENT_REASONS, type EventReason, type Explanation, REASONS, type ReasonCode } from '@tributary/contract'
import { plainAnswer } from '../../explain/answer.ts'
import type { Reader } from '../../explain/words.ts'
import { type Asked, NAMELESS } from './explain.ts'

/** A message of the processor that became no report about a payment, and why it did not. */
export type Message = {
  at: Date
  test: boolean
  fate: string
  reason: EventReason | ReasonCode
  references: string[]
}

type Told = { asked: Asked; invoiceId: string; message: Message }

/** The payment did arrive: why it is no sale. */
export const explainMessage = ({ asked: { audience }, invoiceId, message }: Told): Explanation => {
  const { reason, test } = message
  const isMerchant = audience === 'merchant'
  const reader: Reader = isMerchant ? { audience } : { audience, partnerId: null }
  const subject = { ...NAMELESS, kind: 'invoice' as const, ...(isMerchant && { invoiceId }) }
  const never = { subject, outcome: 'not_received' as const, facts: null, timeline: [], commission: null }
  if (test) return { ...never, reason: 'invoice_only_as_test', sentences: plainAnswer('invoice_only_as_test', reader) }
  if (isOfPayment(reason)) {
    // What the processor told is the merchant's business and nobody else's.
    const timeline = isMerchant ? [entryOf(message, reason)] : []
    return { ...never, outcome: 'uncredited', reason, sentences: plainAnswer(reason, reader), timeline }
  }
  // To send the sale again would be wrong advice: the processor has told of it.
  const told = isMerchant ? [`The payment processor told of it. ${EVENT_REASONS[reason]}`] : []
  return { ...never, reason: 'invoice_never_received', sentences: [REASONS.invoice_never_received, ...told] }
}

const isOfPayment = (reason: string): reason is ReasonCode => Object.hasOwn(REASONS, reason)

const entryOf = ({ at, fate, references }: Message, reason: ReasonCode): Explanation['timeline'][number] => ({
  at: at.toISOString(),
  event: 'payment',
  outcome: fate,
  reason,
  sentence: REASONS[reason],
  decidedOn: { references },
})
