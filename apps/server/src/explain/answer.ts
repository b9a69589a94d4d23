import {
  ADVICE_PARTS,
  ADVICE_WITHOUT_CUSTOMER,
  type Explanation,
  type ReasonCode,
  type Step,
  say,
} from '@tributary/contract'
import type { LeadAttribution, SaleAttribution } from '../attribution/attribution.ts'
import type { AdjustmentFacts } from '../money/adjustments/decide-adjustment.ts'
import type { CommissionRow } from '../money/commissions/commission-states.ts'
import type { HoldRelease } from '../money/commissions/release-holds.ts'
import { describeState } from './commission-words.ts'
import type { Decision } from './decisions.ts'
import { describeEvidence, describeMatches, type ExplainedEvidence } from './evidence-words.ts'
import {
  type DecidedReview,
  describeAdjustment,
  describeAssignment,
  describeReview,
  describeVoid,
  type ExplainedAdjustment,
} from './member-words.ts'
import { toEntry, toExplanation, toStep } from './parts.ts'
import { describeRules } from './reward-rule-words.ts'
import { describeClicks, describeCodes, describeDecision, type Event } from './rule-words.ts'
import { describeTerms, type EarnedIn, type LaterTerms } from './terms-words.ts'
import { type Reader, reasonFor, type Words } from './words.ts'

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
  /** A member ended the hold period of the commission. */
  release: HoldRelease | null
  laterTerms: LaterTerms | null
  earnedIn: EarnedIn
  /** Null for leads. */
  evidence: ExplainedEvidence | null
}

type Attribution = LeadAttribution | SaleAttribution

/** The clicks whose partners and links the answer names. */
export const namedIn = (decisions: Decision[]) =>
  decisions
    .filter(({ rule }) => rule === 'lead' || rule === 'sale')
    .flatMap(({ result }) => {
      const { winner, losers, codes = [] } = result as Attribution
      const owners = codes.flatMap(({ partnerId }) => (partnerId === null ? [] : [{ partnerId, linkId: null }]))
      return [...losers, ...owners, ...(winner ? [winner] : [])]
    })

type Entry = Explanation['timeline'][number]

/** The whole answer about one lead or sale. Leaves out what the reader may not see. */
export const answerOf = (subject: Subject, explained: ExplainedEvent, words: Words): Explanation => {
  const { event, holderId, commission } = explained
  const seesMoney = !words.isPartner || (holderId !== null && words.canSee(holderId))
  const attribution = attributionOf(explained)
  const manualReason = manualReasonOf(explained)
  const reason = manualReason ?? attribution.reason
  const timeline = timelineOf(explained, seesMoney, words)
  const after = timeline.filter(({ event: kind }) => kind !== event.kind)
  const lacksCustomer = reason === 'customer_unknown' && event.hasNoCustomer && !words.isPartner
  return toExplanation({
    subject: toSubject(subject),
    outcome: manualReason ? 'credited' : (attribution.outcome as Explanation['outcome']),
    reason,
    steps: [
      ...describeResult(explained, attribution, words),
      ...describeClicks(attribution.result as Attribution, words),
      ...describeCodes(attribution.result as Attribution, words),
      ...(seesMoney ? describeRules(explained.decisions, words) : []),
      ...(words.isPartner ? [] : evidenceOf(explained, words)),
      ...after.map((entry) =>
        toStep(
          'history',
          entry.reason ?? (entry.outcome === 'paid' ? 'commission_paid' : 'hold_released'),
          entry.parts,
        ),
      ),
      ...(seesMoney && commission ? describeMoney(commission, explained, words) : []),
      ...(lacksCustomer
        ? [toStep('advice', reason, ADVICE_WITHOUT_CUSTOMER)]
        : adviceFor([reason, ...(commission ? [] : after.map((entry) => entry.reason))], words)),
      ...(commission?.state === 'review' ? adviceFor(commission.reviewReasons as ReasonCode[], words) : []),
    ],
    facts: factsFor(attribution, words),
    timeline,
    commission: seesMoney && commission ? commissionFor(commission, words) : null,
  })
}

const evidenceOf = ({ commission, evidence }: ExplainedEvent, words: Words): Step[] => [
  ...describeMatches(commission?.selfReferralMatches ?? []),
  ...(evidence ? describeEvidence(evidence, words) : []),
]

const manualReasonOf = ({ assignment }: ExplainedEvent) =>
  assignment && (assignment.type === 'credit' ? 'credited_by_hand' : 'moved_by_hand')

/** Which partner has it and why. A partner reads the history in order: it has the member's decision. */
const describeResult = (explained: ExplainedEvent, attribution: Decision, words: Words): Step[] => {
  const { event, assignment } = explained
  const manualReason = manualReasonOf(explained)
  if (!assignment || !manualReason || words.isPartner)
    return [toStep('reason', codeFor(attribution.reason, words), describeDecision(attribution, event, words))]
  const before = describeDecision(attribution, { ...event, name: say`it` }, words)
  return [
    toStep('reason', manualReason, describeAssignment(event.name, assignment, words)),
    toStep('history', attribution.reason, say`Before that, ${before}`),
  ]
}

/** Partners read the same words for both, because how a lead was reported is the merchant's affair. */
const codeFor = (reason: Decision['reason'], { isPartner }: Words) =>
  isPartner && reason === 'lead_settled_in_browser' ? 'lead_settled' : reason

const timelineOf = (explained: ExplainedEvent, seesMoney: boolean, words: Words): Entry[] => {
  const reviewed = explained.decisions.findLast(({ rule }) => rule === 'review')
  const entries = visibleDecisions(explained, words).map((decision) => {
    const review = decision === reviewed ? explained.review : null
    return entryOf(decision, { ...explained, review }, words)
  })
  const payouts = seesMoney ? explained.payouts.map((payout) => payoutEntry(payout, explained, words)) : []
  const release = seesMoney && explained.release ? [releaseEntry(explained.release, words)] : []
  return [...entries, ...release, ...payouts].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/** What the reader may see of the money: what concerns a partner while they have the sale, and every adjustment that names them. */
const visibleDecisions = ({ partnerId, decisions }: ExplainedEvent, words: Words) => {
  const canSee = (id: number | null) => !words.isPartner || (id !== null && words.canSee(id))
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

/** The state of the commission, unless the timeline already says in which payout it was paid. */
const describeMoney = (commission: CommissionRow, { decisions, payouts }: ExplainedEvent, words: Words): Step[] => {
  if (commission.state === 'paid' && payouts.length > 0) return []
  const decided = decisions.findLast(({ rule }) => rule === 'commission')?.reason
  const reasons = commission.state === 'review' ? (commission.reviewReasons as ReasonCode[]) : []
  return [
    ...reasons
      .filter((reason) => reason !== decided)
      .map((reason) => toStep('fact', reason, words.reason(reason, commission.partnerStatus))),
    describeState(commission, words),
  ]
}

/** Whether only the hold period delays the commission that the rules decided on: otherwise its first date is outdated. */
const isDue = ({ assignment, commission, release }: ExplainedEvent) =>
  assignment === null &&
  release === null &&
  (commission?.state === 'held' || commission?.state === 'payable') &&
  !commission.heldForApproval &&
  commission.disputedCents === 0

const entryOf = (decision: Decision, explained: ExplainedEvent, words: Words): Entry => {
  const { decidedAt, rule, subject, outcome, reason, facts } = decision
  return toEntry({
    at: decidedAt.toISOString(),
    event: eventOf(rule, subject),
    outcome,
    reason,
    parts: say`${describeEntry(decision, explained, words)}${describeTerms(decision, explained, words)}`,
    decidedOn: words.isPartner ? null : (facts as Record<string, unknown>),
  })
}

const describeEntry = (decision: Decision, explained: ExplainedEvent, words: Words) => {
  const { event, review, adjustments } = explained
  const voided = describeVoid(decision, adjustments, words)
  if (voided) return voided
  if (decision.rule === 'adjustment') return describeAdjustment(decision, adjustments, words)
  if (review) return describeReview(decision, review, words)
  return describeDecision(decision, { ...event, isDue: isDue(explained) }, words)
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
): Entry => {
  const isWhole = commission && commission.paidCents > 0 && payouts.length === 1
  const what = isWhole ? words.money(commission.paidCents, commission.currency) : 'The commission'
  return toEntry({
    at: (decidedAt ?? new Date(0)).toISOString(),
    event: 'payout',
    outcome: 'paid',
    reason: null,
    parts: say`${what} was paid in ${words.linkTo('payout', payoutId, `payout ${payoutId}`)}.`,
    decidedOn: null,
  })
}

const releaseEntry = ({ heldUntil, releasedAt, by }: HoldRelease, words: Words): Entry =>
  toEntry({
    at: releasedAt.toISOString(),
    event: 'commission',
    outcome: 'released',
    reason: null,
    parts: say`${words.isPartner ? 'The program' : (by ?? 'A former member')} released the commission before its hold period ended on ${words.day(heldUntil)}.`,
    decidedOn: null,
  })

/** Only merchants get advice: partners cannot act on it. */
export const adviceFor = (reasons: (ReasonCode | null)[], { isPartner }: { isPartner: boolean }): Step[] =>
  [...new Set(reasons)].flatMap((reason) => {
    const advice = reason && !isPartner && ADVICE_PARTS[reason]
    return advice ? [toStep('advice', reason, advice)] : []
  })

const NO_SUBJECT = { id: null, invoiceId: null, customerKey: null, clickId: null }

export type Subject = Pick<Explanation['subject'], 'kind'> & Partial<Explanation['subject']>

export const toSubject = (subject: Subject): Explanation['subject'] => ({ ...NO_SUBJECT, ...subject })

type Plain = { reason: ReasonCode; audience: Reader['audience']; outcome?: Explanation['outcome'] }

/** The answer for something without a decision: its reason and advice. */
export const explainPlainly = (subject: Subject, { reason, audience, outcome = 'not_received' }: Plain): Explanation =>
  toExplanation({
    subject: toSubject(subject),
    outcome,
    reason,
    steps: [
      toStep('reason', reason, reasonFor(audience, reason)),
      ...adviceFor([reason], { isPartner: audience === 'partner' }),
    ],
    facts: null,
    timeline: [],
    commission: null,
  })

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
  const { winner, losers, codes = [] } = result as Attribution
  const clicked = winner && winner.linkId !== null ? { ...winner, linkId: winner.linkId } : null
  const all = facts as Record<string, unknown>
  const clicks = [...losers, ...(clicked ? [{ ...clicked, why: null }] : [])]
    .filter(({ partnerId }) => words.canSee(partnerId))
    .sort((a, b) => a.clickedAt.getTime() - b.clickedAt.getTime())
  return {
    rule,
    ruleVersion,
    decidedAt: decidedAt.toISOString(),
    decidedOn: words.isPartner
      ? Object.fromEntries(Object.entries(all).filter(([name]) => PARTNER_FACTS.includes(name)))
      : all,
    clicks: clicks.map(({ linkId, partnerId, clickedAt, why }) => ({
      clickedAt: clickedAt.toISOString(),
      linkId,
      aff: words.aff(linkId),
      partnerId,
      partnerName: words.partnerName(partnerId),
      why,
    })),
    otherClicks: losers.length + (clicked ? 1 : 0) - clicks.length,
    codes: [...(winner?.codeId === undefined ? [] : [{ ...winner, code: words.code(winner), why: null }]), ...codes]
      .filter(({ partnerId }) => !words.isPartner || (partnerId !== null && words.canSee(partnerId)))
      .map(({ code, partnerId, why }) => ({
        code,
        partnerId,
        partnerName: partnerId === null ? null : words.partnerName(partnerId),
        why,
      })),
  }
}

const commissionFor = ({ earnedAt, payableAt, ...row }: CommissionRow, { isPartner }: Words) => ({
  ...row,
  selfReferralMatches: isPartner ? [] : row.selfReferralMatches,
  earnedAt: earnedAt.toISOString(),
  payableAt: payableAt.toISOString(),
})
