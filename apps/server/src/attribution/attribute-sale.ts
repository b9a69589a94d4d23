import type { AttributionModel, ReasonCode, UncreditedReason } from '@tributary/contract'
import {
  type Click,
  type CustomerRecord,
  creditedClick,
  type Loser,
  losersOf,
  type Winner,
  whyNotCredited,
  winningClick,
} from './candidates.ts'
import { isWithinWindow } from './click-window.ts'

/** Everything that decides whose sale it is. Nothing else may matter. */
export type SaleFacts = {
  /** `late`: the sale waited, and now the lead of its customer has settled. */
  when: 'at_the_sale' | 'late'
  soldAt: Date
  attributionModel: AttributionModel
  cookieWindowDays: number
  /** `known`: a settled lead has the key that the sale came with. */
  customer: 'absent' | 'unknown' | 'known'
  /** The click that the sale itself named. */
  click: 'absent' | 'unknown' | 'found'
  /** Found by the key or else by the click. */
  record: CustomerRecord | null
  /** Of the record: the newest by the time of the sale, the first, and the first few after the sale. */
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

/** By the customer's key, which a settled lead has bound to a partner; else by a click that is still valid. */
export const attributeSale = (facts: SaleFacts): SaleAttribution => {
  if (facts.when === 'late') return attributeLate(facts)
  const { customer, click, record, soldAt, cookieWindowDays } = facts
  if (customer === 'known' && record) return toRecordByThen(facts, record, 'bound_customer')
  const isValid = record !== null && isWithinWindow(record.lastClickedAt, cookieWindowDays, soldAt)
  if (click === 'found' && record && isValid) return toRecordByThen(facts, record, 'valid_click')
  // With a key there is hope: its lead may still come. So the key is the reason, whatever the click was.
  if (customer === 'unknown' || click === 'absent') return uncredited(facts, 'customer_unknown')
  return uncredited(facts, click === 'unknown' ? 'click_not_found' : 'click_expired')
}

/**
 * Whose the record is, if that was so when the sale was made. A payment may be told long after: what was clicked since then
 * does not matter, so it is judged as it would have been, had it waited for the lead.
 */
const toRecordByThen = (
  facts: SaleFacts,
  record: CustomerRecord,
  reason: 'bound_customer' | 'valid_click',
): SaleAttribution => {
  if (record.creditedClickAt <= facts.soldAt) return toRecord(facts, record, reason)
  const then = attributeLate(facts)
  // The record knows of its first click, also where that is no longer kept.
  const wasThere = record.firstClickedAt <= facts.soldAt
  return then.outcome === 'uncredited' && wasThere ? toRecord(facts, record, reason) : then
}

/** Who would have won at the time of the sale. A sale that was made before the first click stays as it is. */
const attributeLate = (facts: SaleFacts): SaleAttribution => {
  const { clicks, soldAt, attributionModel: model } = facts
  const winner = winningClick(clicks, { model, at: soldAt })
  if (!winner) return uncredited(facts, 'no_click_before_sale')
  const { linkId, partnerId, clickedAt } = winner
  const lost = model === 'first_click' ? 'later_click' : 'earlier_click'
  const losers = losersOf(clicks, {
    winner,
    why: (click) => (click.clickedAt > soldAt ? 'after_the_sale' : lost),
  })
  return { outcome: 'credited', reason: 'credited_late', winner: { linkId, partnerId, clickedAt }, losers }
}

const toRecord = (
  { clicks, attributionModel }: SaleFacts,
  record: CustomerRecord,
  reason: 'bound_customer' | 'valid_click',
): SaleAttribution => {
  const { linkId, partnerId, creditedClickAt: clickedAt } = record
  const losers = losersOf(clicks, {
    winner: creditedClick(clicks, record),
    why: whyNotCredited(record, attributionModel),
  })
  return { outcome: 'credited', reason, winner: { linkId, partnerId, clickedAt }, losers }
}

const uncredited = ({ clicks, soldAt }: SaleFacts, reason: UncreditedReason): SaleAttribution => ({
  outcome: 'uncredited',
  reason,
  winner: null,
  losers: losersOf(clicks, {
    winner: null,
    why: ({ clickedAt }) => (clickedAt > soldAt ? 'after_the_sale' : 'outside_window'),
  }),
})
