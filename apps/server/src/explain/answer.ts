import { ADVICE, ADVICE_WITHOUT_CUSTOMER, type Explanation, type ReasonCode } from '@tributary/contract'
import type { LeadAttribution } from '../attribution/attribute-lead.ts'
import type { SaleAttribution } from '../attribution/attribute-sale.ts'
import type { AdjustmentFacts } from '../money/adjustments/decide-adjustment.ts'
import type { CommissionRow } from '../money/commissions/commission-states.ts'
import { adjustmentSentence, assignedSentence, type ExplainedAdjustment, voidSentence } from './adjustment-words.ts'
import type { Decision } from './decisions.ts'
import { type EarnedIn, groupSentences } from './group-words.ts'
import { type LaterTerms, laterTermsSentence } from './later-terms.ts'
import { type DecidedReview, reviewSentence } from './review-words.ts'
import { clickSentences, type Event, sentenceOf, withStatus } from './sentences.ts'
import { onHold, type Reader, reasonFor, type Words } from './words.ts'

export type ExplainedEvent = {
  event: Event
  /** The partner credited by the automatic rules, if any. */
  partnerId: number | null
  /** The partner who has the sale now: a member may have given it to another one. */
  holderId: number | null
  adjustments: ExplainedAdjustment[]
  /** The member's decision that gave the sale to its holder; null if the automatic rules decided. */
  assignment: ExplainedAdjustment | null
  decisions: Decision[]
  payouts: { payoutId: number; decidedAt: Date | null }[]
  commission: CommissionRow | null
  /** The latest review decision about the commission. */
  review: DecidedReview | null
  laterTerms: LaterTerms | null
  earnedIn: EarnedIn
}

type Attribution = LeadAttribution | SaleAttribution

/** The clicks whose partners and links the answer names. */
export const namedIn = (decisions: Decision[]) =>
  decisions
    .filter(({ rule }) => rule === 'lead' || rule === 'sale')
    .flatMap(({ result }) => {
      const { winner, losers } = result as Attribution
      return [...losers, ...(winner ? [winner] : [])]
    })

type Entry = Explanation['timeline'][number]

/** The whole answer about one lead or sale, except its subject. Leaves out what the reader may not see. */
export const answerOf = (explained: ExplainedEvent, words: Words): Omit<Explanation, 'subject'> => {
  const { event, holderId, decisions, commission, assignment } = explained
  const manualReason = assignment && (assignment.type === 'credit' ? 'credited_by_hand' : 'moved_by_hand')
  const seesMoney = words.reader.audience === 'merchant' || (holderId !== null && words.canSee(holderId))
  const visible = visibleDecisions(explained, words)
  const reviewed = decisions.findLast(({ rule }) => rule === 'review')
  const attribution = attributionOf(explained)
  const timeline = [
    ...visible.map((decision) => {
      const review = decision === reviewed ? explained.review : null
      return entryOf(decision, { ...explained, review }, words)
    }),
    ...(seesMoney ? explained.payouts.map((payout) => payoutEntry(payout, explained, words)) : []),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const after = timeline.filter(({ event: kind }) => kind !== event.kind)
  const reason = manualReason ?? attribution.reason
  return {
    outcome: manualReason ? 'credited' : (attribution.outcome as Explanation['outcome']),
    reason,
    sentences: [
      // A partner reads the history in order: the timeline has the member's decision. The dashboard (`remainingSentences` in
      // verdict.tsx) expects what the rules decided as the second sentence.
      ...(assignment && words.reader.audience === 'merchant'
        ? [
            assignedSentence(event.name, assignment, words),
            `Before that, ${sentenceOf(attribution, { ...event, name: 'it' }, words)}`,
          ]
        : [sentenceOf(attribution, event, words)]),
      ...clickSentences(attribution.result as Attribution, words),
      ...after.map(({ sentence }) => sentence),
      ...(seesMoney && commission
        ? [...otherReasons(explained, words), ...stateSentences(commission, explained, words)]
        : []),
      ...(reason === 'customer_unknown' && event.hasNoCustomer && words.reader.audience === 'merchant'
        ? [ADVICE_WITHOUT_CUSTOMER]
        : adviceFor([reason, ...(commission ? [] : after.map((entry) => entry.reason))], words.reader)),
      ...(commission?.state === 'review' ? adviceFor(commission.reviewReasons as ReasonCode[], words.reader) : []),
    ],
    facts: factsFor(attribution, words),
    timeline,
    commission: seesMoney && commission ? commissionFor(commission) : null,
  }
}

/** What the reader may see of the money: what concerns a partner while they have the sale, and every adjustment that names them. */
const visibleDecisions = ({ partnerId, decisions }: ExplainedEvent, words: Words) => {
  const canSee = (id: number | null) => words.reader.audience === 'merchant' || (id !== null && words.canSee(id))
  let holderId = partnerId
  return decisions.filter(({ rule, facts }) => {
    if (rule === 'lead' || rule === 'sale') return true
    // The automatic rules still run after a member's decision, for the partner they credit.
    if (rule === 'commission') return canSee(partnerId)
    if (rule !== 'adjustment') return canSee(holderId)
    const before = holderId
    holderId = (facts as AdjustmentFacts).partnerId
    return canSee(before) || canSee(holderId)
  })
}

/** The latest attribution decision. Every lead and sale is recorded with one. */
const attributionOf = ({ event, decisions }: ExplainedEvent) => {
  const attribution = decisions.findLast(({ rule }) => rule === event.kind)
  if (!attribution) throw new Error(`this ${event.kind} has no attribution decision`)
  return attribution
}

/** Review reasons that the commission decision does not already name. */
const otherReasons = ({ commission, decisions }: ExplainedEvent, words: Words) => {
  const decided = decisions.findLast(({ rule }) => rule === 'commission')?.reason
  const reasons = commission?.state === 'review' ? (commission.reviewReasons as ReasonCode[]) : []
  return reasons
    .filter((reason) => reason !== decided)
    .map((reason) => withStatus(words.reason(reason), commission?.partnerStatus ?? null))
}

type EntryContext = Pick<
  ExplainedEvent,
  'event' | 'review' | 'laterTerms' | 'earnedIn' | 'adjustments' | 'assignment' | 'commission'
>

/** Whether only the hold period delays the commission that the rules decided on: otherwise its first date is outdated. */
const isDue = ({ assignment, commission }: EntryContext) =>
  assignment === null &&
  (commission?.state === 'held' || commission?.state === 'payable') &&
  !commission.heldForApproval &&
  commission.disputedCents === 0

const entryOf = (decision: Decision, context: EntryContext, words: Words): Entry => {
  const { event, review, laterTerms, earnedIn, adjustments } = context
  const later = laterTermsSentence(decision, laterTerms, words)
  const sentence =
    voidSentence(decision, adjustments, words) ??
    (decision.rule === 'adjustment'
      ? adjustmentSentence(decision, adjustments, words)
      : review
        ? reviewSentence(decision.reason, review, words)
        : sentenceOf(decision, { ...event, isDue: isDue(context) }, words))
  const { decidedAt, rule, subject, outcome, reason, facts } = decision
  return {
    at: decidedAt.toISOString(),
    event: eventOf(rule, subject),
    outcome,
    reason,
    sentence: [sentence, ...groupSentences(decision, earnedIn, words), ...(later ? [later] : [])].join(' '),
    decidedOn: words.reader.audience === 'merchant' ? (facts as Record<string, unknown>) : null,
  }
}

const eventOf = (rule: Decision['rule'], subject: Decision['subject']): Entry['event'] => {
  if (rule === 'commission' || rule === 'correction') return 'commission'
  if (rule === 'confirmation') return 'review'
  return rule === 'reversal' ? 'refund' : subject
}

/** With one payout, it paid all that was paid. */
const payoutEntry = (
  { payoutId, decidedAt }: ExplainedEvent['payouts'][number],
  { payouts, commission }: ExplainedEvent,
  words: Words,
): Entry => ({
  at: (decidedAt ?? new Date(0)).toISOString(),
  event: 'payout',
  outcome: 'paid',
  reason: null,
  sentence:
    commission && commission.paidCents > 0 && payouts.length === 1
      ? `${words.money(commission.paidCents, commission.currency)} was paid in payout ${payoutId}.`
      : `The commission was paid in payout ${payoutId}.`,
  decidedOn: null,
})

/** The current state of the commission, unless the timeline already says in which payout it was paid. */
const stateSentences = (commission: CommissionRow, { payouts }: ExplainedEvent, words: Words) =>
  commission.state === 'paid' && payouts.length > 0 ? [] : [stateSentence(commission, words)]

const stateSentence = (commission: CommissionRow, words: Words): string => {
  const { state, paidCents, amountCents, reversedCents, currency } = commission
  if (state === 'held' || state === 'payable') {
    const paid = paidCents > 0 ? `${words.money(paidCents, currency)} has been paid. ` : ''
    return paid + unpaidSentence(commission, words)
  }
  const left = words.money(amountCents - reversedCents, currency)
  if (state === 'reversed') return 'The commission has been reversed in full.'
  if (state === 'review') return `${left} is waiting for review.`
  return `${left} has been paid.`
}

const unpaidSentence = (commission: CommissionRow, words: Words): string => {
  const { state, inPayout, disputedCents, currency, payableAt, heldForApproval, partnerStatus } = commission
  const left = words.money(commission.amountCents - commission.reversedCents - commission.paidCents, currency)
  if (disputedCents > 0) return disputeSentence(commission, words)
  if (heldForApproval) return `${left} is ${onHold(partnerStatus, words.reader.audience)}.`
  if (state === 'payable') return inPayout ? `${left} ${IN_OPEN_PAYOUT}` : `${left} is payable now.`
  return `${left} is held until ${words.when(payableAt)}.`
}

const IN_OPEN_PAYOUT = 'is reserved in an open payout and has not been sent yet.'

/** A disputed amount waits for the decision; the undisputed rest is paid as usual. */
const disputeSentence = (commission: CommissionRow, words: Words): string => {
  const { inPayout, amountCents, reversedCents, paidCents, disputedCents, currency } = commission
  const disputed = `${words.money(disputedCents, currency)} is not payable until the dispute is decided.`
  const restCents = amountCents - reversedCents - disputedCents - paidCents
  if (restCents <= 0) return disputed
  return `${disputed} The other ${words.money(restCents, currency)} ${inPayout ? IN_OPEN_PAYOUT : 'is not disputed.'}`
}

/** Only merchants get advice: partners cannot act on it. */
export const adviceFor = (reasons: (ReasonCode | null)[], { audience }: Reader): string[] =>
  audience === 'partner' ? [] : [...new Set(reasons)].flatMap((reason) => (reason && ADVICE[reason]) || [])

/** The answer for something that was never received: its reason and advice. */
export const plainAnswer = (reason: ReasonCode, reader: Reader) => [
  reasonFor(reader.audience, reason),
  ...adviceFor([reason], reader),
]

/** The facts a partner may see: settings and times, but nothing that identifies a click, a link or a person. */
const PARTNER_FACTS = [
  'when',
  'event',
  'at',
  'soldAt',
  'attributionModel',
  'cookieWindowDays',
  'customer',
  'click',
  'lead',
]

const factsFor = ({ rule, ruleVersion, decidedAt, facts, result }: Decision, words: Words): Explanation['facts'] => {
  const { winner, losers } = result as Attribution
  const all = facts as Record<string, unknown>
  const isMerchant = words.reader.audience === 'merchant'
  const clicks = [...losers, ...(winner ? [{ ...winner, why: null }] : [])]
    .filter(({ partnerId }) => words.canSee(partnerId))
    .sort((a, b) => a.clickedAt.getTime() - b.clickedAt.getTime())
  return {
    rule,
    ruleVersion,
    decidedAt: decidedAt.toISOString(),
    decidedOn: isMerchant
      ? all
      : Object.fromEntries(Object.entries(all).filter(([name]) => PARTNER_FACTS.includes(name))),
    clicks: clicks.map(({ linkId, partnerId, clickedAt, why }) => ({
      clickedAt: clickedAt.toISOString(),
      linkId,
      aff: words.aff(linkId),
      partnerId,
      partnerName: words.partnerName(partnerId),
      why,
    })),
    otherClicks: losers.length + (winner ? 1 : 0) - clicks.length,
  }
}

const commissionFor = ({ earnedAt, payableAt, ...row }: CommissionRow) => ({
  ...row,
  earnedAt: earnedAt.toISOString(),
  payableAt: payableAt.toISOString(),
})
