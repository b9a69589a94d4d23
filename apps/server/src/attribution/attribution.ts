import type {
  AttributionModel,
  ClickEvidence,
  LeadAuth,
  LoserReason,
  ReasonCode,
  UncreditedReason,
} from '@tributary/contract'
import { type CodeFacts, chooseCode, type LostCode, loseAll } from './codes.ts'

const DAY_MS = 86_400_000

export type Click = { id: string; linkId: number; partnerId: number; clickedAt: Date; evidence?: ClickEvidence }

/** The customer record at the time of the decision. */
export type CustomerRecord = {
  /** Null if the partner is credited for a promotion code. */
  linkId: number | null
  /** Absent if the partner is credited for a click. */
  codeId?: number
  partnerId: number
  /** Time of the click, or of the use of the code, that the partner is credited for. */
  creditedClickAt: Date
  firstClickedAt: Date
  lastClickedAt: Date
  isSettled: boolean
}

/** `clickedAt`: of the click, or when the code was used. */
type Winner = { linkId: number | null; codeId?: number; code?: string; partnerId: number; clickedAt: Date }
type Loser = Click & { why: LoserReason }

/** What the winner is credited for, as it is stored. */
export const creditedFor = ({ linkId, codeId }: Pick<Winner, 'linkId' | 'codeId'>) =>
  codeId === undefined
    ? { creditSource: 'click' as const, linkId, codeId: null }
    : { creditSource: 'code' as const, linkId: null, codeId }

/** Click IDs ascend with time, so they order two clicks in the same millisecond. */
const byTime = (a: Click, b: Click) => a.clickedAt.getTime() - b.clickedAt.getTime() || (a.id < b.id ? -1 : 1)

/** A `click_id` is valid for the program's attribution window, counted from the latest click that used it. */
export const isWithinWindow = (lastClickedAt: Date, cookieWindowDays: number, at: Date) =>
  lastClickedAt.getTime() > at.getTime() - cookieWindowDays * DAY_MS

/** Returns the first or last click up to `at`, depending on the attribution model. */
const winningClick = (clicks: Click[], { model, at }: { model: AttributionModel; at: Date }) => {
  const before = clicks.filter(({ clickedAt }) => clickedAt <= at).toSorted(byTime)
  return (model === 'first_click' ? before[0] : before.at(-1)) ?? null
}

/** Returns the click that the record is credited for. Null for a second customer: their clicks belong to the first one. */
const creditedClick = (clicks: Click[], { linkId, creditedClickAt }: CustomerRecord) =>
  clicks
    .filter((click) => click.linkId === linkId && click.clickedAt.getTime() === creditedClickAt.getTime())
    .toSorted(byTime)
    .at(-1) ?? null

const creditOf = ({ linkId, codeId, partnerId, creditedClickAt: clickedAt }: CustomerRecord): Winner => ({
  linkId,
  ...(codeId !== undefined && { codeId }),
  partnerId,
  clickedAt,
})

/** All clicks except the winner, oldest first, each with the reason it lost. */
const listLosers = (
  clicks: Click[],
  { winner, why }: { winner: Click | null; why: (click: Click) => LoserReason },
): Loser[] =>
  clicks
    .filter(({ id }) => id !== winner?.id)
    .toSorted(byTime)
    .map((click) => ({ ...click, why: why(click) }))

/** Returns why a click lost to the credited one. */
const whyNotCredited =
  ({ creditedClickAt, isSettled }: CustomerRecord, model: AttributionModel) =>
  ({ clickedAt }: Click): LoserReason => {
    if (clickedAt < creditedClickAt) return 'earlier_click'
    // With last-click attribution, a later click loses only because the lead had already settled.
    return isSettled && model === 'last_click' && clickedAt > creditedClickAt ? 'after_the_lead' : 'later_click'
  }

export type LeadState = 'none' | 'provisional' | 'settled'

/** All inputs of the settlement decision. */
export type LeadFacts = {
  /** Who reports the lead. `sale_call` is listed because it never settles one. */
  event: 'server_lead' | 'browser_sign_up' | 'processor_payment' | 'sale_call'
  leadAuth: LeadAuth
  /** `known`: a settled lead of this program has this key. `bound`: a promotion code bound it, and no lead was reported. */
  customerKey: 'absent' | 'new' | 'known' | 'bound'
  /** `unknown`: the program has no such click. */
  click: 'absent' | 'unknown' | 'expired' | 'valid'
  /** State of the lead on the click's record. */
  lead: LeadState
  /** A promotion code of the call can be credited, and the program prefers it to a click or not. Absent if none was stated. */
  code?: 'first' | 'last' | 'none'
}

export type LeadDecision =
  | { outcome: 'settle' }
  /** The click already has a customer: this one is credited to the same partner. */
  | { outcome: 'settle_second_customer' }
  /** The promotion code gets a record of its own. */
  | { outcome: 'settle_by_code' }
  | { outcome: 'provisional' }
  | { outcome: 'duplicate' }
  | { outcome: 'unchanged' }
  | { outcome: 'refuse'; code: 'missing_customer_key' | 'customer_unknown' | 'click_not_found' | 'click_expired' }

const refuse = (code: Extract<LeadDecision, { outcome: 'refuse' }>['code']): LeadDecision => ({
  outcome: 'refuse',
  code,
})

const settleFromServer = ({ customerKey, click, lead, code }: LeadFacts): LeadDecision => {
  if (customerKey === 'known') return { outcome: 'duplicate' }
  if (customerKey === 'absent') return refuse('missing_customer_key')
  if (customerKey === 'bound') return { outcome: 'settle' }
  if (code === 'first' || (code === 'last' && click !== 'valid')) return { outcome: 'settle_by_code' }
  if (click === 'absent') return refuse('customer_unknown')
  if (click === 'unknown') return refuse('click_not_found')
  if (click === 'expired') return refuse('click_expired')
  return { outcome: lead === 'settled' ? 'settle_second_customer' : 'settle' }
}

const settleFromBrowser = ({ leadAuth, customerKey, click, lead }: LeadFacts): LeadDecision => {
  if (click === 'absent' || click === 'unknown') return refuse('click_not_found')
  if (lead === 'settled') return { outcome: 'duplicate' }
  if (click === 'expired') return refuse('click_expired')
  if (leadAuth !== 'browser_allowed' || customerKey === 'absent') return { outcome: 'provisional' }
  return { outcome: customerKey === 'new' ? 'settle' : 'duplicate' }
}

/** The lead settlement table: who reports the lead, what they name, and what is known decide whether it settles. */
export const settleLead = (facts: LeadFacts): LeadDecision => {
  if (facts.event === 'sale_call') return { outcome: 'unchanged' }
  return facts.event === 'browser_sign_up' ? settleFromBrowser(facts) : settleFromServer(facts)
}

/** The inputs of the lead settlement table before the attribution window is checked, plus the clicks. */
export type LeadCallFacts = Omit<LeadFacts, 'event' | 'click' | 'code'> &
  CodeFacts & {
    event: Exclude<LeadFacts['event'], 'sale_call'>
    at: Date
    attributionModel: AttributionModel
    cookieWindowDays: number
    click: 'absent' | 'unknown' | 'found'
    /** The processor's customer has belonged to the click's record before, so the attribution window does not apply. */
    isBound?: true
    record: CustomerRecord | null
    clicks: Click[]
  }

export type LeadAttribution = {
  outcome: 'settled' | 'provisional'
  reason: ReasonCode
  winner: Winner
  losers: Loser[]
  /** Promotion codes that were not credited. Absent if none was stated. */
  codes?: LostCode[]
}

/** Whether one of the codes can be credited, and whether before a click. Browsers can state any code, so theirs do not count. */
const rankOfCode = ({ event, codes, codePrecedence }: Pick<LeadCallFacts, 'event'> & CodeFacts): LeadFacts['code'] => {
  if (!codes || event !== 'server_lead') return undefined
  if (!chooseCode({ codes }).winner) return 'none'
  return codePrecedence === 'code' ? 'first' : 'last'
}

/** Checks the attribution window, then applies the lead settlement table. */
export const decideLead = ({ at, cookieWindowDays, click, isBound, record, ...facts }: LeadCallFacts): LeadDecision => {
  const { event, leadAuth, customerKey, lead } = facts
  const code = rankOfCode(facts)
  const isValid = record !== null && (isBound || isWithinWindow(record.lastClickedAt, cookieWindowDays, at))
  return settleLead({
    event,
    leadAuth,
    customerKey,
    lead,
    ...(code && { code }),
    click: click === 'found' ? (isValid ? 'valid' : 'expired') : click,
  })
}

const SETTLEMENT_REASONS = {
  server_lead: 'lead_settled',
  browser_sign_up: 'lead_settled_in_browser',
  processor_payment: 'lead_settled_by_payment',
} as const

/** Returns the partner credited with the lead and the reason, or null if the call creates no lead. */
export const attributeLead = (facts: LeadCallFacts): LeadAttribution | null => {
  const { outcome } = decideLead(facts)
  const { record, clicks, attributionModel } = facts
  if (outcome === 'settle_by_code') return attributeLeadToCode(facts)
  if (!record || outcome === 'refuse' || outcome === 'duplicate' || outcome === 'unchanged') return null
  const settled = outcome === 'settle_second_customer' ? 'second_customer' : SETTLEMENT_REASONS[facts.event]
  return {
    outcome: outcome === 'provisional' ? 'provisional' : 'settled',
    reason: outcome === 'provisional' ? 'lead_provisional' : settled,
    winner: creditOf(record),
    losers: listLosers(clicks, {
      winner: creditedClick(clicks, record),
      why: whyNotCredited(record, attributionModel),
    }),
    ...lostCodes(facts, facts.customerKey === 'bound' ? 'bound_customer' : 'click_first'),
  }
}

const attributeLeadToCode = (facts: LeadCallFacts): LeadAttribution | null => {
  const { winner, lost } = chooseCode(facts)
  if (!winner) return null
  const why = whyCodeWins(facts, facts.at)
  return {
    outcome: 'settled',
    reason: 'lead_settled_by_code',
    winner: { linkId: null, ...winner, clickedAt: facts.at },
    losers: listLosers(facts.clicks, { winner: null, why: () => why }),
    codes: lost,
  }
}

/** Why the clicks lost to a code: the window had ended, or the program prefers codes. */
const whyCodeWins = (
  { record, cookieWindowDays }: Pick<SaleFacts, 'record' | 'cookieWindowDays'>,
  at: Date,
): LoserReason =>
  record !== null && isWithinWindow(record.lastClickedAt, cookieWindowDays, at) ? 'code_first' : 'outside_window'

const lostCodes = (facts: CodeFacts, why: 'bound_customer' | 'click_first') =>
  facts.codes ? { codes: loseAll(facts, why) } : {}

/** All inputs of the sale attribution. They are stored with the decision, so that it can be replayed. */
export type SaleFacts = CodeFacts & {
  /** `late`: the sale was uncredited until its customer's lead settled. */
  when: 'at_the_sale' | 'late'
  soldAt: Date
  attributionModel: AttributionModel
  cookieWindowDays: number
  /** `known`: a settled lead has the sale's customer key. `bound`: only the payment processor knows the customer. */
  customer: 'absent' | 'unknown' | 'known' | 'bound'
  /** The `click_id` sent with the sale. */
  click: 'absent' | 'unknown' | 'found'
  /** Found by customer key, otherwise by click. */
  record: CustomerRecord | null
  /** Clicks of the record: its first, the newest up to the sale, and the first few after the sale. */
  clicks: Click[]
}

export type SaleAttribution = {
  losers: Loser[]
  /** Promotion codes that were not credited. Absent if none was stated. */
  codes?: LostCode[]
} & (
  | {
      outcome: 'credited'
      reason: Extract<ReasonCode, 'bound_customer' | 'valid_click' | 'credited_late' | 'code_used'>
      winner: Winner
    }
  | { outcome: 'uncredited'; reason: UncreditedReason; winner: null }
)

/**
 * Credits the partner bound to the customer key; otherwise the partner of a click within the attribution window or of a promotion code,
 * whichever the program prefers.
 */
export const attributeSale = (facts: SaleFacts): SaleAttribution => {
  if (facts.when === 'late') return attributeLate(facts)
  const { customer, click, record, soldAt, cookieWindowDays } = facts
  if ((customer === 'known' || customer === 'bound') && record) return creditBound(facts, record)
  const { winner, reason, lost } = chooseCode(facts)
  const isValid = record !== null && isWithinWindow(record.lastClickedAt, cookieWindowDays, soldAt)
  const isClicked = click === 'found' && isValid
  if (winner && !(isClicked && facts.codePrecedence !== 'code')) return creditCode(facts, { winner, lost })
  if (isClicked) return { ...creditAsOfSale(facts, record, 'valid_click'), ...lostCodes(facts, 'click_first') }
  if (reason) return { ...uncredited(facts, reason), codes: lost }
  // A lead for the key may still arrive and credit the sale, so report the key as the reason, not the click.
  if (customer === 'unknown' || click === 'absent') return uncredited(facts, 'customer_unknown')
  return uncredited(facts, click === 'unknown' ? 'click_not_found' : 'click_expired')
}

/** A customer belongs to one partner. A sale from before that, reported late, can still be credited to the code it was made with. */
const creditBound = (facts: SaleFacts, record: CustomerRecord): SaleAttribution => {
  const bound = creditAsOfSale(facts, record, 'bound_customer')
  if (bound.winner) return { ...bound, ...lostCodes(facts, 'bound_customer') }
  const { winner, reason, lost } = chooseCode(facts)
  if (winner) return creditCode(facts, { winner, lost })
  return reason ? { ...uncredited(facts, reason), codes: lost } : bound
}

type ChosenCode = { winner: NonNullable<ReturnType<typeof chooseCode>['winner']>; lost: LostCode[] }

const creditCode = (facts: SaleFacts, { winner, lost }: ChosenCode): SaleAttribution => {
  const why = whyCodeWins(facts, facts.soldAt)
  return {
    outcome: 'credited',
    reason: 'code_used',
    winner: { linkId: null, ...winner, clickedAt: facts.soldAt },
    losers: listLosers(facts.clicks, {
      winner: null,
      why: ({ clickedAt }) => (clickedAt > facts.soldAt ? 'after_the_sale' : why),
    }),
    codes: lost,
  }
}

/**
 * Credits the record's partner as of the time of the sale. A payment may be reported long after it was made; clicks since then
 * must not change who is credited.
 */
const creditAsOfSale = (
  facts: SaleFacts,
  record: CustomerRecord,
  reason: 'bound_customer' | 'valid_click',
): SaleAttribution => {
  if (record.creditedClickAt <= facts.soldAt) return creditRecord(facts, record, reason)
  const late = attributeLate(facts)
  // The record keeps the time of its first click even after the click itself is deleted.
  const hadClicked = record.firstClickedAt <= facts.soldAt
  return late.outcome === 'uncredited' && hadClicked ? creditRecord(facts, record, reason) : late
}

/** Credits the click that won at the time of the sale. A sale before the first click stays uncredited. */
const attributeLate = (facts: SaleFacts): SaleAttribution => {
  const { clicks, record, soldAt, attributionModel: model } = facts
  // Without a link, no click can have won.
  if (record?.linkId === null && record.creditedClickAt <= soldAt) return creditRecord(facts, record, 'bound_customer')
  const winner = winningClick(clicks, { model, at: soldAt })
  if (!winner) return uncredited(facts, 'no_click_before_sale')
  const { linkId, partnerId, clickedAt } = winner
  const lost = model === 'first_click' ? 'later_click' : 'earlier_click'
  const losers = listLosers(clicks, {
    winner,
    why: (click) => (click.clickedAt > soldAt ? 'after_the_sale' : lost),
  })
  return { outcome: 'credited', reason: 'credited_late', winner: { linkId, partnerId, clickedAt }, losers }
}

const creditRecord = (
  { clicks, attributionModel }: SaleFacts,
  record: CustomerRecord,
  reason: 'bound_customer' | 'valid_click',
): SaleAttribution => {
  const losers = listLosers(clicks, {
    winner: creditedClick(clicks, record),
    why: whyNotCredited(record, attributionModel),
  })
  return { outcome: 'credited', reason, winner: creditOf(record), losers }
}

const uncredited = ({ clicks, soldAt }: SaleFacts, reason: UncreditedReason): SaleAttribution => ({
  outcome: 'uncredited',
  reason,
  winner: null,
  losers: listLosers(clicks, {
    winner: null,
    why: ({ clickedAt }) => (clickedAt > soldAt ? 'after_the_sale' : 'outside_window'),
  }),
})
