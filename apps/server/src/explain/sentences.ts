import { LOSER_REASONS, type ReasonCode } from '@tributary/contract'
import type { LeadAttribution } from '../attribution/attribute-lead.ts'
import type { SaleAttribution } from '../attribution/attribute-sale.ts'
import type { CommissionDecision } from '../money/commissions/decide-commission.ts'
import type { CorrectionDecision, CorrectionFacts } from '../money/commissions/decide-correction.ts'
import type { ReversalDecision, ReversalFacts } from '../money/commissions/decide-reversal.ts'
import type { Decision } from './decisions.ts'
import { capital, type Words } from './words.ts'

/** The event that is explained, in the words that the reader may hear: "Sale INV-1 of 49.00 USD", "A sale". */
export type Event = { kind: 'lead' | 'sale'; name: string }

/** One decision as one sentence. */
export const sentenceOf = (decision: Decision, event: Event, words: Words): string => {
  if (decision.rule === 'lead') return leadSentence(decision.result as LeadAttribution, event, words)
  if (decision.rule === 'sale') return saleSentence(decision.result as SaleAttribution, event, words)
  if (decision.rule === 'commission') return commissionSentence(decision.result as CommissionDecision, words)
  if (decision.rule === 'reversal')
    return reversalSentence(decision.facts as ReversalFacts, decision.result as ReversalDecision, words)
  if (decision.rule === 'correction')
    return correctionSentence(decision.facts as CorrectionFacts, decision.result as CorrectionDecision, words)
  return words.reason(decision.reason)
}

const leadSentence = ({ outcome, reason, winner }: LeadAttribution, { name }: Event, words: Words) =>
  outcome === 'provisional'
    ? `${name} is provisional and neither counts nor pays yet, ${words.because(reason)}`
    : creditedSentence(name, winner.partnerId, reason, words)

const saleSentence = ({ winner, reason }: SaleAttribution, { name }: Event, words: Words) =>
  winner ? creditedSentence(name, winner.partnerId, reason, words) : uncreditedSentence(name, reason, words)

const creditedSentence = (name: string, partnerId: number, reason: ReasonCode, words: Words) =>
  `${name} was credited to ${words.partner(partnerId)}, ${words.because(reason)}`

const uncreditedSentence = (name: string, reason: ReasonCode, words: Words) =>
  `${name} was credited to nobody, ${words.because(reason)}`

const commissionSentence = (decision: CommissionDecision, { reader, money, when, because }: Words) => {
  const { reason, termsVersion } = decision
  const isVersioned = reader.audience === 'merchant' && termsVersion !== null
  const under = isVersioned ? ` (reward terms, version ${termsVersion})` : ''
  if (decision.outcome === 'nothing') return `It earned no commission${under}, ${because(reason)}`
  const amount = money(decision.reward.amountCents, decision.reward.currency)
  return decision.outcome === 'review'
    ? `It earned a commission of ${amount}${under}, which is held for review, ${because(reason)}`
    : `It earned a commission of ${amount}${under}, payable from ${when(decision.payableAt)}, ${because(reason)}`
}

const reversalSentence = (
  { commission }: ReversalFacts,
  { reason: code, amountCents }: ReversalDecision,
  { money, reason, because }: Words,
) => {
  if (!commission || amountCents === 0) return reason(code)
  const debt = commission.wasPaid ? ' It had been paid before, so the next payout pays so much less.' : ''
  return `${money(amountCents, commission.currency)} of the commission were taken back, ${because(code)}${debt}`
}

const correctionSentence = (
  { commission }: CorrectionFacts,
  { outcome, reason: code, amountCents }: CorrectionDecision,
  { money, reason, because }: Words,
) => {
  if (!commission || outcome === 'unchanged') return reason(code)
  const what = `${money(amountCents, commission.currency)} were ${outcome === 'raised' ? 'added to' : 'taken off'} the commission`
  const debt = outcome === 'lowered' && commission.wasPaid
  return `${what}, ${because(code)}${debt ? ' It had been paid before, so the next payout pays so much less.' : ''}`
}

const LOSERS_NAMED = 5

/** Which click won, and why each of the others did not. */
export const clickSentences = ({ winner, losers }: LeadAttribution | SaleAttribution, words: Words): string[] => {
  const visible = losers.filter(({ partnerId }) => words.may(partnerId))
  const hidden = losers.length - visible.length
  const named = visible.slice(-LOSERS_NAMED)
  const more = visible.length - named.length
  return [
    ...(winner && words.may(winner.partnerId) ? [`${capital(words.click(winner))} counted.`] : []),
    ...named.map((click) => `${capital(words.click(click))} did not count, because ${LOSER_REASONS[click.why]}.`),
    ...(more > 0 ? [`${more} more ${more === 1 ? 'click' : 'clicks'} did not count either.`] : []),
    ...(hidden > 0 ? ['The visitor also clicked through the link of another partner.'] : []),
  ]
}
