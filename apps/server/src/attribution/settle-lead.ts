import type { LeadAuth } from '@tributary/contract'

export type LeadState = 'none' | 'provisional' | 'settled'

/** Everything the decision depends on. Nothing else may matter. */
export type LeadFacts = {
  /** Who says that there is a sign-up. A sale call is here to show that it never settles anything. */
  event: 'server_lead' | 'browser_sign_up' | 'processor_payment' | 'sale_call'
  leadAuth: LeadAuth
  /** `known`: a settled lead of this program has this key. */
  customerKey: 'absent' | 'new' | 'known'
  /** `unknown`: no such click in this program. */
  click: 'absent' | 'unknown' | 'expired' | 'valid'
  /** Of the record that the click belongs to. */
  lead: LeadState
}

export type LeadDecision =
  | { outcome: 'settle' }
  /** The click brought somebody before: a second customer, credited to the same partner. */
  | { outcome: 'settle_second_customer' }
  | { outcome: 'provisional' }
  | { outcome: 'duplicate' }
  | { outcome: 'unchanged' }
  | { outcome: 'refuse'; code: 'missing_customer_key' | 'customer_unknown' | 'click_not_found' | 'click_expired' }

const refuse = (code: Extract<LeadDecision, { outcome: 'refuse' }>['code']): LeadDecision => ({
  outcome: 'refuse',
  code,
})

const byServer = ({ customerKey, click, lead }: LeadFacts): LeadDecision => {
  if (customerKey === 'known') return { outcome: 'duplicate' }
  if (customerKey === 'absent') return refuse('missing_customer_key')
  if (click === 'absent') return refuse('customer_unknown')
  if (click === 'unknown') return refuse('click_not_found')
  if (click === 'expired') return refuse('click_expired')
  return { outcome: lead === 'settled' ? 'settle_second_customer' : 'settle' }
}

const byBrowser = ({ leadAuth, customerKey, click, lead }: LeadFacts): LeadDecision => {
  if (click === 'absent' || click === 'unknown') return refuse('click_not_found')
  if (lead === 'settled') return { outcome: 'duplicate' }
  if (click === 'expired') return refuse('click_expired')
  if (leadAuth !== 'browser_allowed' || customerKey === 'absent') return { outcome: 'provisional' }
  return { outcome: customerKey === 'known' ? 'duplicate' : 'settle' }
}

/** The lead settlement table (interface, section 3; decisions, section 4) as one pure function. */
export const settleLead = (facts: LeadFacts): LeadDecision => {
  if (facts.event === 'sale_call') return { outcome: 'unchanged' }
  return facts.event === 'browser_sign_up' ? byBrowser(facts) : byServer(facts)
}
