import type { LeadAuth } from '@tributary/contract'

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
