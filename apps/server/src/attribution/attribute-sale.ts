import type { AttributionModel, ReasonCode, UncreditedReason } from '@tributary/contract'
import {
  type Click,
  type CustomerRecord,
  creditedClick,
  isWithinWindow,
  type Loser,
  listLosers,
  type Winner,
  whyNotCredited,
  winningClick,
} from './candidates.ts'

/** All inputs of the sale attribution. They are stored with the decision, so that it can be replayed. */
export type SaleFacts = {
  /** `late`: the sale was uncredited until its customer's lead settled. */
  when: 'at_the_sale' | 'late'
  soldAt: Date
  attributionModel: AttributionModel
  cookieWindowDays: number
  /** `known`: a settled lead has the sale's customer key. */
  customer: 'absent' | 'unknown' | 'known'
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
  if (customer === 'known' && record) return creditAsOfSale(facts, record, 'bound_customer')
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
