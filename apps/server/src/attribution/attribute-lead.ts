import type { AttributionModel, ReasonCode } from '@tributary/contract'
import {
  type Click,
  type CustomerRecord,
  creditedClick,
  type Loser,
  losersOf,
  type Winner,
  whyNotCredited,
} from './candidates.ts'
import { isWithinWindow } from './click-window.ts'
import { type LeadDecision, type LeadFacts, settleLead } from './settle-lead.ts'

/** What a call was decided on: the facts of the settlement table, with the window not yet judged, and the clicks. */
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

/** Whether the lead counts: the settlement table, after a look at the window. */
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

const SETTLED_BY = {
  server_lead: 'lead_settled',
  browser_sign_up: 'lead_settled_in_browser',
  processor_payment: 'lead_settled_by_payment',
} as const

/** Whose lead it is, and why. Null where the call made no lead: a refusal or a duplicate records nothing. */
export const attributeLead = (facts: LeadCallFacts): LeadAttribution | null => {
  const { outcome } = decideLead(facts)
  const { record, clicks, attributionModel } = facts
  if (!record || outcome === 'refuse' || outcome === 'duplicate' || outcome === 'unchanged') return null
  const { linkId, partnerId, creditedClickAt: clickedAt } = record
  const settled = outcome === 'settle_second_customer' ? 'second_customer' : SETTLED_BY[facts.event]
  return {
    outcome: outcome === 'provisional' ? 'provisional' : 'settled',
    reason: outcome === 'provisional' ? 'lead_provisional' : settled,
    winner: { linkId, partnerId, clickedAt },
    losers: losersOf(clicks, {
      winner: creditedClick(clicks, record),
      why: whyNotCredited(record, attributionModel),
    }),
  }
}
