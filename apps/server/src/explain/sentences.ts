import { LOSER_REASONS, type PartnerStatus, type ReasonCode } from '@tributary/contract'
import type { LeadAttribution } from '../attribution/attribute-lead.ts'
import type { SaleAttribution } from '../attribution/attribute-sale.ts'
import type { CommissionDecision, CommissionFacts } from '../money/commissions/decide-commission.ts'
import type { CorrectionDecision, CorrectionFacts } from '../money/commissions/decide-correction.ts'
import type { ReversalDecision, ReversalFacts } from '../money/commissions/decide-reversal.ts'
import type { Decision } from './decisions.ts'
import { capital, type Words } from './words.ts'

/** The event being explained. `name` depends on what the reader may see: "Sale INV-1 of $49.00" or "A sale". */
export type Event = {
  kind: 'lead' | 'sale'
  name: string
  /** Whether a sale names no customer, so no lead can be reported for it. */
  hasNoCustomer?: boolean
  /** Whether the earned commission still waits to be paid, so that its date matters. */
  isDue?: boolean
}

/** One decision as one sentence. */
export const sentenceOf = (decision: Decision, event: Event, words: Words): string => {
  if (decision.rule === 'lead')
    return leadSentence(decision.facts as Window, decision.result as LeadAttribution, event, words)
  if (decision.rule === 'sale')
    return saleSentence(decision.facts as Window, decision.result as SaleAttribution, event, words)
  if (decision.rule === 'commission')
    return commissionSentence(decision.facts as CommissionFacts, decision.result as CommissionDecision, event, words)
  if (decision.rule === 'reversal')
    return reversalSentence(decision.facts as ReversalFacts, decision.result as ReversalDecision, words)
  if (decision.rule === 'correction')
    return correctionSentence(decision.facts as CorrectionFacts, decision.result as CorrectionDecision, words)
  return words.reason(decision.reason)
}

const leadSentence = (window: Window, { outcome, reason, winner }: LeadAttribution, { name }: Event, words: Words) =>
  outcome === 'provisional'
    ? `${name} ${words.reader.audience === 'partner' ? 'does' : 'is provisional and does'} not count yet ${words.because(reason)}`
    : creditedSentence(name, winner, inWindow(window, reason, winner, words), words)

const saleSentence = (window: Window, { winner, reason }: SaleAttribution, { name }: Event, words: Words) => {
  if (!winner) return uncreditedSentence(name, reason, words)
  const why =
    reason === 'bound_customer' ? whoReferred(winner.partnerId, words) : inWindow(window, reason, winner, words)
  return creditedSentence(name, winner, why, words)
}

const creditedSentence = (name: string, { partnerId }: Click, why: string, words: Words) =>
  `${name} was credited to ${words.partner(partnerId)}${why}`

/** The facts of a decision that say which clicks were valid. */
type Window = { cookieWindowDays: number; at?: Date; soldAt?: Date }
type Click = { partnerId: number; clickedAt: Date }

/** Reasons that a valid click gives, with the attribution window in place of "valid". */
const IN_WINDOW: { [code in ReasonCode]?: { merchant: (days: string) => string; partner: string } } = {
  lead_settled: {
    merchant: (days) => `your server sent the lead with the ID of a click from the last ${days}`,
    partner: 'the visitor clicked your link and signed up within',
  },
  lead_settled_in_browser: {
    merchant: (days) =>
      `the browser sent the lead with a click from the last ${days}, and the program accepts browser leads`,
    partner: 'the visitor clicked your link and signed up within',
  },
  lead_settled_by_payment: {
    merchant: (days) =>
      `the payment processor reported a payment by this customer with the ID of a click from the last ${days}`,
    partner: 'the visitor clicked your link and paid within',
  },
  valid_click: {
    merchant: (days) => `the sale was sent with the ID of a click from the last ${days}`,
    partner: 'the customer clicked your link and bought within',
  },
}

const DAY_MS = 86_400_000

/** With the first-click model, the credited click can be older than the window, and a partner reads the general reason. */
const inWindow = ({ cookieWindowDays, at, soldAt }: Window, reason: ReasonCode, winner: Click, words: Words) => {
  const texts = IN_WINDOW[reason]
  const days = cookieWindowDays === 1 ? '1 day' : `${cookieWindowDays} days`
  if (texts && words.reader.audience === 'merchant') return ` because ${texts.merchant(days)}.`
  const since = new Date(soldAt ?? at ?? 0).getTime() - new Date(winner.clickedAt).getTime()
  const isOwn = words.canSee(winner.partnerId) && since >= 0 && since < cookieWindowDays * DAY_MS
  return texts && isOwn ? ` because ${texts.partner} ${days}.` : ` ${words.because(reason)}`
}

/** The general reason names no one. */
const whoReferred = (partnerId: number, words: Words) => {
  if (!words.canSee(partnerId)) return ` ${words.because('bound_customer')}`
  return words.reader.audience === 'partner'
    ? ' because you referred this customer. Their later sales stay with you.'
    : `, who referred this customer. The customer’s later sales stay with ${words.partner(partnerId)}.`
}

const uncreditedSentence = (name: string, reason: ReasonCode, words: Words) =>
  `${name} was not credited to a partner ${words.because(reason)}`

const commissionSentence = (
  facts: CommissionFacts,
  decision: CommissionDecision,
  { kind, isDue }: Event,
  { reader, terms: termsOf, termsName, money, day, because }: Words,
) => {
  const { reason, termsVersion } = decision
  const terms = termsOf(termsVersion)
  const applied = termsName(termsVersion)
  if (decision.outcome === 'nothing')
    return `The ${kind} earned no commission ${because(reason)}${applied ? ` ${capital(applied)} applied.` : ''}`
  const amount = money(decision.reward.amountCents, decision.reward.currency)
  const earned = `The ${kind} earned a commission of ${amount}${rateOf(facts, money)}`
  if (decision.outcome === 'review')
    return `${earned}${terms}, which went to review ${withStatus(because(reason), facts.partnerStatus)}`
  const due = isDue ? `, payable from ${day(decision.payableAt)}` : ''
  return `${earned}${reader.audience === 'partner' ? ' under your terms at the time' : terms}${due}.`
}

/** " (20% of $29.00)" if the terms pay a share of the sale. */
const rateOf = ({ terms, event }: CommissionFacts, money: Words['money']) =>
  event.kind === 'sale' && terms && terms.saleAmountCents === null && terms.salePercentBps !== null
    ? ` (${terms.salePercentBps / 100}% of ${money(event.amountCents, event.currency)})`
    : ''

/** The reason names both statuses: says which one it was, or what is known if the partner has been reinstated since. */
export const withStatus = (sentence: string, status: PartnerStatus | null) =>
  sentence.replace(
    'was suspended or rejected',
    status === 'suspended' || status === 'rejected' ? `was ${status}` : 'was not active when it was earned',
  )

const DEBT = ' It had already been paid, so the amount is deducted from the next payout.'

const reversalSentence = (
  { commission }: ReversalFacts,
  { reason: code, amountCents }: ReversalDecision,
  { money, reason, because }: Words,
) => {
  if (!commission || amountCents === 0) return reason(code)
  const debt = commission.wasPaid ? DEBT : ''
  return `${money(amountCents, commission.currency)} of the commission was reversed ${because(code)}${debt}`
}

const correctionSentence = (
  { commission }: CorrectionFacts,
  { outcome, reason: code, amountCents }: CorrectionDecision,
  { money, reason, because }: Words,
) => {
  if (!commission || outcome === 'unchanged') return reason(code)
  const change = `${money(amountCents, commission.currency)} was ${outcome === 'raised' ? 'added to' : 'deducted from'} the commission`
  const debt = outcome === 'lowered' && commission.wasPaid ? DEBT : ''
  return `${change} ${because(code)}${debt}`
}

const MAX_LISTED_LOSERS = 5

/** Partners read it in a list next to the headline. */
const creditedClick = (winner: NonNullable<SaleAttribution['winner']>, words: Words) =>
  words.reader.audience === 'partner'
    ? `Credited click: your link “${words.aff(winner.linkId) ?? winner.linkId}”, ${words.when(winner.clickedAt)}.`
    : `${capital(words.click(winner))} was credited.`

/**
 * Which click was credited, and why each of the others was not. `IS_ABOUT_CLICK` of the dashboard (verdict.tsx) matches the words.
 */
export const clickSentences = ({ winner, losers }: LeadAttribution | SaleAttribution, words: Words): string[] => {
  const visible = losers.filter(({ partnerId }) => words.canSee(partnerId))
  const hidden = losers.length - visible.length
  const listed = visible.slice(-MAX_LISTED_LOSERS)
  const more = visible.length - listed.length
  return [
    ...(winner && words.canSee(winner.partnerId) ? [creditedClick(winner, words)] : []),
    ...listed.map((click) => `${capital(words.click(click))} was not credited because ${LOSER_REASONS[click.why]}.`),
    ...(more > 0 ? [`${more} more ${more === 1 ? 'click was' : 'clicks were'} not credited either.`] : []),
    ...(hidden > 0 ? ['The visitor also clicked another partner’s link.'] : []),
  ]
}
