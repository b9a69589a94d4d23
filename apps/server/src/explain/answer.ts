import { ADVICE, type Explanation, type ReasonCode } from '@tributary/contract'
import type { LeadAttribution } from '../attribution/attribute-lead.ts'
import type { SaleAttribution } from '../attribution/attribute-sale.ts'
import type { CommissionRow } from '../money/commission-states.ts'
import type { Decision } from './decisions.ts'
import { clickSentences, type Event, sentenceOf } from './sentences.ts'
import { type Reader, reasonFor, type Words } from './words.ts'

export type Told = {
  event: Event
  /** The partner to whom it is credited; null while it is nobody's. */
  partnerId: number | null
  decisions: Decision[]
  payouts: { payoutId: number; decidedAt: Date | null }[]
  commission: CommissionRow | null
  /** For what was recorded before decisions were kept. */
  otherwise: { outcome: Explanation['outcome']; reason: ReasonCode; sentence: string }
}

type Attribution = LeadAttribution | SaleAttribution

/** Every partner and link that the answer may have to name. */
export const namedIn = (decisions: Decision[]) =>
  decisions
    .filter(({ rule }) => rule === 'lead' || rule === 'sale')
    .flatMap(({ result }) => {
      const { winner, losers } = result as Attribution
      return [...losers, ...(winner ? [winner] : [])]
    })

type Entry = Explanation['timeline'][number]

/** The whole answer about one lead or sale, but for its name. What the reader may not know is left out here. */
export const answerOf = (told: Told, words: Words): Omit<Explanation, 'subject'> => {
  const { event, partnerId, decisions, commission } = told
  const seesMoney = words.reader.audience === 'merchant' || (partnerId !== null && words.may(partnerId))
  const visible = decisions.filter(({ rule }) => seesMoney || rule === 'lead' || rule === 'sale')
  const attribution = decisions.findLast(({ rule }) => rule === event.kind)
  const timeline = [
    ...visible.map((decision) => entryOf(decision, event, words)),
    ...(seesMoney ? told.payouts.map(payoutEntry) : []),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const after = timeline.filter(({ event: kind }) => kind !== event.kind)
  const reason = attribution?.reason ?? told.otherwise.reason
  return {
    outcome: (attribution?.outcome as Explanation['outcome'] | undefined) ?? told.otherwise.outcome,
    reason,
    sentences: [
      attribution ? sentenceOf(attribution, event, words) : told.otherwise.sentence,
      ...(attribution ? clickSentences(attribution.result as Attribution, words) : []),
      ...after.map(({ sentence }) => sentence),
      ...(seesMoney && commission ? [stateSentence(commission, words)] : []),
      ...adviceFor([reason, ...(commission ? [] : after.map((entry) => entry.reason))], words.reader),
      ...(commission?.state === 'review' ? adviceFor([commission.reviewReason as ReasonCode], words.reader) : []),
    ],
    facts: attribution ? factsFor(attribution, words) : null,
    timeline,
    commission: seesMoney && commission ? commissionFor(commission) : null,
  }
}

const entryOf = (decision: Decision, event: Event, words: Words): Entry => {
  const { decidedAt, rule, subject, outcome, reason, facts } = decision
  return {
    at: decidedAt.toISOString(),
    event: rule === 'commission' || rule === 'correction' ? 'commission' : rule === 'reversal' ? 'refund' : subject,
    outcome,
    reason,
    sentence: sentenceOf(decision, event, words),
    decidedOn: words.reader.audience === 'merchant' ? (facts as Record<string, unknown>) : null,
  }
}

const payoutEntry = ({ payoutId, decidedAt }: Told['payouts'][number]): Entry => ({
  at: (decidedAt ?? new Date(0)).toISOString(),
  event: 'payout',
  outcome: 'paid',
  reason: null,
  sentence: `The commission was paid with payout ${payoutId}.`,
  decidedOn: null,
})

/** Where the commission stands at the moment of the question. */
const stateSentence = (commission: CommissionRow, words: Words): string => {
  const { state, inPayout, amountCents, reversedCents, disputedCents, currency, payableAt } = commission
  const left = words.money(amountCents - reversedCents, currency)
  if (state === 'reversed') return 'Nothing is left of the commission now.'
  if (state === 'review') return `${left} wait for somebody to release or reject them.`
  if (state === 'paid') return `${left} of what was paid stand.`
  if (disputedCents > 0) return disputeSentence(commission, words)
  if (state === 'payable') return inPayout ? `${left} ${ON_THEIR_WAY}` : `${left} are payable now.`
  return `${left} are held now, until ${words.when(payableAt)}.`
}

const ON_THEIR_WAY = 'are on their way now, in an open payout.'

/** Held by a dispute is not held until a day; what is disputed in part pays the rest as ever. */
const disputeSentence = (commission: CommissionRow, words: Words): string => {
  const { inPayout, amountCents, reversedCents, disputedCents, currency } = commission
  const held = `${words.money(disputedCents, currency)} are in dispute now, and held until it is decided.`
  const restCents = amountCents - reversedCents - disputedCents
  if (restCents === 0) return held
  return `${held} The other ${words.money(restCents, currency)} ${inPayout ? ON_THEIR_WAY : 'are not part of it.'}`
}

/** What to do is told to those who can do it. */
export const adviceFor = (reasons: (ReasonCode | null)[], { audience }: Reader): string[] =>
  audience === 'partner' ? [] : [...new Set(reasons)].flatMap((reason) => (reason && ADVICE[reason]) || [])

/** A reason alone, for what never came. */
export const plainAnswer = (reason: ReasonCode, reader: Reader) => [
  reasonFor(reader.audience, reason),
  ...adviceFor([reason], reader),
]

/** What a partner may know of the facts: the program's rules and moments. Nothing that names a click, a link or a person. */
const FOR_PARTNERS = [
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
    .filter(({ partnerId }) => words.may(partnerId))
    .sort((a, b) => a.clickedAt.getTime() - b.clickedAt.getTime())
  return {
    rule,
    ruleVersion,
    decidedAt: decidedAt.toISOString(),
    decidedOn: isMerchant
      ? all
      : Object.fromEntries(Object.entries(all).filter(([name]) => FOR_PARTNERS.includes(name))),
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
