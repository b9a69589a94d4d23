import type { AttributionModel, ReasonCode } from '@tributary/contract'
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
import { type LeadDecision, type LeadFacts, settleLead } from './settle-lead.ts'

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
