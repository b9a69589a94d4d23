import type { Explanation } from '@tributary/contract'
import { EVENT_REASONS, LOSER_REASONS, type LoserReason, REASONS } from '@tributary/contract/reasons'
import { codeLabel } from '~/components/format/labels.ts'

const SENTENCES: Record<string, string> = { ...REASONS, ...EVENT_REASONS }

/** The sentence for a reason code. */
export const reasonText = (reason: string) => SENTENCES[reason] ?? reason

/** The customer's lead decided who gets the sale; the model and the window applied only to the lead. */
export const isDecidedByLead = ({ timeline, subject, reason }: Pick<Explanation, 'timeline' | 'subject' | 'reason'>) =>
  (timeline.findLast(({ event }) => event === subject.kind)?.reason ?? reason) === 'bound_customer'

/** A member decided which partner gets the sale, so the clicks no longer do: the name of that decision. */
export const assignmentOf = ({ reason }: Pick<Explanation, 'reason'>) => {
  if (reason === 'moved_by_hand') return 'the move'
  return reason === 'credited_by_hand' ? 'it was credited manually' : null
}

export const loserReason = (why: LoserReason) => LOSER_REASONS[why]

const RULES: Record<string, string> = { lead: 'Lead attribution', sale: 'Sale attribution' }

export const ruleLabel = (rule: string) => RULES[rule] ?? codeLabel(rule)

/** The payment processor's refund reasons. Other reasons are free text from the merchant. */
const REFUND_REASONS: Record<string, string> = {
  duplicate: 'Duplicate payment',
  fraudulent: 'Fraudulent payment',
  requested_by_customer: 'Requested by the customer',
  expired_uncaptured_charge: 'The payment was never captured',
}

export const refundReason = (reason: string) => REFUND_REASONS[reason] ?? reason
