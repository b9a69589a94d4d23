import type { AttributionModel, LeadAuth, ReasonCode } from '@tributary/contract'
import {
  type Click,
  type CustomerRecord,
  creditedClick,
  isWithinWindow,
  type Loser,
  listLosers,
  type Winner,
  whyNotCredited,
} from './candidates.ts'

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
export const decideLead = ({ at, cookieWindowDays, click, record, ...facts }: LeadCallFacts): LeadDecision => {
  const { event, leadAuth, customerKey, lead } = facts
  const isValid = record !== null && isWithinWindow(record.lastClickedAt, cookieWindowDays, at)
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
