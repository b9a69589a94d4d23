import { CODE_LOSER_REASONS, LOSER_REASONS, type Part, type ReasonCode, type Step, say } from '@tributary/contract'
import type { LeadAttribution, SaleAttribution } from '../attribution/attribution.ts'
import type {
  CorrectionDecision,
  CorrectionFacts,
  ReversalDecision,
  ReversalFacts,
} from '../money/commissions/commission-rules.ts'
import type { CommissionDecision, CommissionFacts } from '../money/rewards/rewards.ts'
import type { Decision } from './decisions.ts'
import { capitalize, toStep } from './parts.ts'
import type { Words } from './words.ts'

/** The event being explained. `name` depends on what the reader may see: "Sale INV-1 of $49.00" or "A sale". */
export type Event = {
  kind: 'lead' | 'sale'
  name: Part[]
  /** Whether a sale names no customer, so no lead can be reported for it. */
  hasNoCustomer?: boolean
  /** Whether the earned commission still waits to be paid, so that its date matters. */
  isDue?: boolean
}

/** What a rule decided, as one sentence. */
export const describeDecision = ({ rule, reason, facts, result }: Decision, event: Event, words: Words): Part[] => {
  if (rule === 'lead') return describeLead(facts as Window, result as LeadAttribution, event, words)
  if (rule === 'sale') return describeSale(facts as Window, result as SaleAttribution, event, words)
  if (rule === 'commission')
    return describeCommission(facts as CommissionFacts, result as CommissionDecision, event, words)
  if (rule === 'reversal') return describeReversal(facts as ReversalFacts, result as ReversalDecision, words)
  if (rule === 'correction') return describeCorrection(facts as CorrectionFacts, result as CorrectionDecision, words)
  return say`${words.reason(reason)}`
}

const describeLead = (window: Window, { outcome, reason, winner }: LeadAttribution, { name }: Event, words: Words) => {
  if (outcome !== 'provisional')
    return describeCredit(name, winner, becauseOfClick(window, reason, winner, words), words)
  return say`${name} ${words.isPartner ? 'does' : 'is provisional and does'} not count yet ${words.because(reason)}`
}

const describeSale = (window: Window, { winner, reason }: SaleAttribution, { name }: Event, words: Words) => {
  if (!winner) return say`${name} was not credited to a partner ${words.because(reason)}`
  const isBound = reason === 'bound_customer'
  const why = isBound ? whoReferred(winner.partnerId, words) : becauseOfClick(window, reason, winner, words)
  return describeCredit(name, winner, why, words)
}

const describeCredit = (name: Part[], { partnerId }: Click, why: Part[], words: Words) =>
  say`${name} was credited to ${words.partner(partnerId)}${why}`

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
const becauseOfClick = (
  { cookieWindowDays, at, soldAt }: Window,
  reason: ReasonCode,
  winner: Click,
  words: Words,
): Part[] => {
  const texts = IN_WINDOW[reason]
  const days = cookieWindowDays === 1 ? '1 day' : `${cookieWindowDays} days`
  if (texts && !words.isPartner) return say` because ${texts.merchant(days)}.`
  const since = new Date(soldAt ?? at ?? 0).getTime() - new Date(winner.clickedAt).getTime()
  const isOwn = words.canSee(winner.partnerId) && since >= 0 && since < cookieWindowDays * DAY_MS
  return texts && isOwn ? say` because ${texts.partner} ${days}.` : say` ${words.because(reason)}`
}

/** The general reason names no one. */
const whoReferred = (partnerId: number, words: Words): Part[] => {
  if (!words.canSee(partnerId)) return say` ${words.because('bound_customer')}`
  return words.isPartner
    ? say` because you referred this customer. Their later sales stay with you.`
    : say`, who referred this customer. The customer’s later sales stay with ${words.partner(partnerId)}.`
}

const describeCommission = (
  facts: CommissionFacts,
  decision: CommissionDecision,
  { kind, isDue }: Event,
  words: Words,
): Part[] => {
  const { reason, termsVersion } = decision
  const terms = words.terms(termsVersion)
  if (decision.outcome === 'nothing')
    return say`The ${kind} earned no commission ${words.because(reason)}${terms ? ` ${capitalize(terms)} applied.` : ''}`
  const earned = say`The ${kind} earned a commission of ${words.reward(decision.reward)}${rateOf(facts, words)}`
  const under = terms ? ` under ${terms}` : ''
  if (decision.outcome === 'review')
    return say`${earned}${under}, which went to review ${words.because(reason, facts.partnerStatus)}`
  const due = isDue ? say`, payable from ${words.day(decision.payableAt)}` : ''
  return say`${earned}${words.isPartner ? ' under your terms at the time' : under}${due}.`
}

/** " (20% of $29.00)" if the terms pay a share of the sale. */
const rateOf = ({ terms, event }: CommissionFacts, words: Words) =>
  event.kind === 'sale' && terms && terms.saleAmountCents === null && terms.salePercentBps !== null
    ? say` (${terms.salePercentBps / 100}% of ${words.money(event.amountCents, event.currency)})`
    : ''

const DEBT = ' It had already been paid, so the amount is deducted from the next payout.'

const describeReversal = (
  { commission }: ReversalFacts,
  { reason, amountCents }: ReversalDecision,
  words: Words,
): Part[] => {
  if (!commission || amountCents === 0) return say`${words.reason(reason)}`
  const debt = commission.wasPaid ? DEBT : ''
  const amount = words.money(amountCents, commission.currency)
  return say`${amount} of the commission was reversed ${words.because(reason)}${debt}`
}

const describeCorrection = (
  { commission }: CorrectionFacts,
  { outcome, reason, amountCents }: CorrectionDecision,
  words: Words,
): Part[] => {
  if (!commission || outcome === 'unchanged') return say`${words.reason(reason)}`
  const debt = outcome === 'lowered' && commission.wasPaid ? DEBT : ''
  const change = outcome === 'raised' ? 'added to' : 'deducted from'
  return say`${words.money(amountCents, commission.currency)} was ${change} the commission ${words.because(reason)}${debt}`
}

const MAX_LISTED_LOSERS = 5

/** Which click was credited, and why each of the others was not. */
export const describeClicks = ({ winner, losers }: LeadAttribution | SaleAttribution, words: Words): Step[] => {
  const visible = losers.filter(({ partnerId }) => words.canSee(partnerId))
  const listed = visible.slice(-MAX_LISTED_LOSERS)
  const more = visible.length - listed.length
  const steps = listed.map((click) =>
    toStep('click', click.why, say`${words.click(click)} was not credited because ${LOSER_REASONS[click.why]}.`),
  )
  if (winner && winner.linkId !== null && words.canSee(winner.partnerId))
    steps.unshift(toStep('click', 'click_credited', describeCreditedClick({ ...winner, linkId: winner.linkId }, words)))
  if (more > 0)
    steps.push(
      toStep('click', 'more_clicks', `${more} more ${more === 1 ? 'click was' : 'clicks were'} not credited either.`),
    )
  if (losers.length > visible.length)
    steps.push(toStep('click', 'clicks_of_others', 'The visitor also clicked another partner’s link.'))
  return steps
}

/** Partners read it in a list next to the headline. */
const describeCreditedClick = (winner: { linkId: number; partnerId: number; clickedAt: Date }, words: Words) =>
  words.isPartner
    ? say`Credited click: your link “${words.aff(winner.linkId) ?? winner.linkId}”, ${words.when(winner.clickedAt)}.`
    : say`${words.click(winner)} was credited.`

/** Which promotion code was credited, and why each of the others was not. Partners see only their own. */
export const describeCodes = ({ winner, codes = [] }: LeadAttribution | SaleAttribution, words: Words): Step[] => {
  const canSee = (partnerId: number | null) => !words.isPartner || (partnerId !== null && words.canSee(partnerId))
  const text = (code: string): Part => ({ type: 'code', text: code })
  const whose = (partnerId: number | null) =>
    partnerId === null ? say`` : words.isPartner ? say` of yours` : say` of ${words.partner(partnerId)}`
  const credited = winner?.codeId === undefined || !canSee(winner.partnerId) ? null : words.code(winner)
  return [
    ...(winner && credited !== null
      ? [
          toStep(
            'fact',
            'code_credited',
            say`The code ${text(credited)}${whose(winner.partnerId)} was credited, used on ${words.when(winner.clickedAt)}.`,
          ),
        ]
      : []),
    ...codes
      .filter(({ partnerId }) => canSee(partnerId))
      .map(({ code, partnerId, why }) =>
        toStep(
          'fact',
          why,
          say`The code ${text(code)}${whose(partnerId)} was not credited because ${CODE_LOSER_REASONS[why]}.`,
        ),
      ),
  ]
}
