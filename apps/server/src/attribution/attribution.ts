import type {
  AttributionModel,
  ClickEvidence,
  LeadAuth,
  LoserReason,
  ReasonCode,
  UncreditedReason,
} from '@tributary/contract'

const DAY_MS = 86_400_000

export type Click = { id: string; linkId: number; partnerId: number; clickedAt: Date; evidence?: ClickEvidence }

/** The customer record at the time of the decision. */
export type CustomerRecord = {
  linkId: number
  partnerId: number
  /** Time of the click that the partner is credited for. */
  creditedClickAt: Date
  firstClickedAt: Date
  lastClickedAt: Date
  isSettled: boolean
}

type Winner = { linkId: number; partnerId: number; clickedAt: Date }
type Loser = Click & { why: LoserReason }

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
  /** `known`: a settled lead of this program has this key. */
  customerKey: 'absent' | 'new' | 'known'
  /** `unknown`: the program has no such click. */
  click: 'absent' | 'unknown' | 'expired' | 'valid'
  /** State of the lead on the click's record. */
  lead: LeadState
}

export type LeadDecision =
  | { outcome: 'settle' }
  /** The click already has a customer: this one is credited to the same partner. */
  | { outcome: 'settle_second_customer' }
  | { outcome: 'provisional' }
  | { outcome: 'duplicate' }
  | { outcome: 'unchanged' }
  | { outcome: 'refuse'; code: 'missing_customer_key' | 'customer_unknown' | 'click_not_found' | 'click_expired' }

const refuse = (code: Extract<LeadDecision, { outcome: 'refuse' }>['code']): LeadDecision => ({
  outcome: 'refuse',
  code,
})

const settleFromServer = ({ customerKey, click, lead }: LeadFacts): LeadDecision => {
  if (customerKey === 'known') return { outcome: 'duplicate' }
  if (customerKey === 'absent') return refuse('missing_customer_key')
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
  return { outcome: customerKey === 'known' ? 'duplicate' : 'settle' }
}

/** The lead settlement table: who reports the lead, what they name, and what is known decide whether it settles. */
export const settleLead = (facts: LeadFacts): LeadDecision => {
  if (facts.event === 'sale_call') return { outcome: 'unchanged' }
  return facts.event === 'browser_sign_up' ? settleFromBrowser(facts) : settleFromServer(facts)
}

/** The inputs of the lead settlement table before the attribution window is checked, plus the clicks. */
export type LeadCallFacts = Omit<LeadFacts, 'event' | 'click'> & {
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
}

/** Checks the attribution window, then applies the lead settlement table. */
export const decideLead = ({ at, cookieWindowDays, click, isBound, record, ...facts }: LeadCallFacts): LeadDecision => {
  const { event, leadAuth, customerKey, lead } = facts
  const isValid = record !== null && (isBound || isWithinWindow(record.lastClickedAt, cookieWindowDays, at))
  return settleLead({
    event,
    leadAuth,
    customerKey,
    lead,
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
  if (!record || outcome === 'refuse' || outcome === 'duplicate' || outcome === 'unchanged') return null
  const { linkId, partnerId, creditedClickAt: clickedAt } = record
  const settled = outcome === 'settle_second_customer' ? 'second_customer' : SETTLEMENT_REASONS[facts.event]
  return {
    outcome: outcome === 'provisional' ? 'provisional' : 'settled',
    reason: outcome === 'provisional' ? 'lead_provisional' : settled,
    winner: { linkId, partnerId, clickedAt },
    losers: listLosers(clicks, {
      winner: creditedClick(clicks, record),
      why: whyNotCredited(record, attributionModel),
    }),
  }
}

/** All inputs of the sale attribution. They are stored with the decision, so that it can be replayed. */
export type SaleFacts = {
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

export type SaleAttribution = { losers: Loser[] } & (
  | {
      outcome: 'credited'
      reason: Extract<ReasonCode, 'bound_customer' | 'valid_click' | 'credited_late'>
      winner: Winner
    }
  | { outcome: 'uncredited'; reason: UncreditedReason; winner: null }
)

/** Credits the partner bound to the customer key; otherwise the partner of a click within the attribution window. */
export const attributeSale = (facts: SaleFacts): SaleAttribution => {
  if (facts.when === 'late') return attributeLate(facts)
  const { customer, click, record, soldAt, cookieWindowDays } = facts
  if ((customer === 'known' || customer === 'bound') && record) return creditAsOfSale(facts, record, 'bound_customer')
  const isValid = record !== null && isWithinWindow(record.lastClickedAt, cookieWindowDays, soldAt)
  if (click === 'found' && record && isValid) return creditAsOfSale(facts, record, 'valid_click')
  // A lead for the key may still arrive and credit the sale, so report the key as the reason, not the click.
  if (customer === 'unknown' || click === 'absent') return uncredited(facts, 'customer_unknown')
  return uncredited(facts, click === 'unknown' ? 'click_not_found' : 'click_expired')
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
  const { clicks, soldAt, attributionModel: model } = facts
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
  const { linkId, partnerId, creditedClickAt: clickedAt } = record
  const losers = listLosers(clicks, {
    winner: creditedClick(clicks, record),
    why: whyNotCredited(record, attributionModel),
  })
  return { outcome: 'credited', reason, winner: { linkId, partnerId, clickedAt }, losers }
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
