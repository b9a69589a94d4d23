import { ADVICE, EVENT_REASONS, LOSER_REASONS, type LoserReason, REASONS } from '@tributary/contract/reasons'
import { labelOfCode } from '~/components/format/labels.ts'

const SENTENCES: Record<string, string> = { ...REASONS, ...EVENT_REASONS }

/** A reason code as the sentence that people read. */
export const sentenceFor = (reason: string) => SENTENCES[reason] ?? reason

export const loserReason = (why: LoserReason) => LOSER_REASONS[why]

const ADVICES = new Set<string>(Object.values(ADVICE))

/** What to do about it, apart from what happened. */
export const isAdvice = (sentence: string) => ADVICES.has(sentence)

const OUTCOMES: Record<string, string> = {
  credited: 'Credited',
  uncredited: 'Not credited',
  settled: 'Settled',
  provisional: 'Provisional',
  earned: 'Earned',
  review: 'Sent to review',
  nothing: 'None earned',
  held: 'On hold',
  reinstated: 'Reinstated',
  reversed: 'Reversed',
  released: 'Released',
  unchanged: 'No change',
  raised: 'Raised',
  lowered: 'Lowered',
  paid: 'Paid',
  applied: 'Applied',
  waiting: 'Waiting',
  ignored: 'Ignored',
  refused: 'Rejected',
}

/** What a decision came to, in a word or two. */
export const outcomeLabel = (outcome: string) => OUTCOMES[outcome] ?? labelOfCode(outcome)

const RULES: Record<string, string> = { lead: 'Lead attribution', sale: 'Sale attribution' }

export const ruleLabel = (rule: string) => RULES[rule] ?? labelOfCode(rule)

/** The codes that the payment processor has for the reason of a refund. Other reasons are the merchant's own words. */
const REFUND_REASONS: Record<string, string> = {
  duplicate: 'Duplicate payment',
  fraudulent: 'Fraudulent payment',
  requested_by_customer: 'Requested by the customer',
  expired_uncaptured_charge: 'The charge was never captured',
}

export const refundReason = (reason: string) => REFUND_REASONS[reason] ?? reason
