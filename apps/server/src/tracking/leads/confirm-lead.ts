import { isWithinWindow } from '../../attribution/attribution.ts'
import { type ConfirmationFacts, confirmCustomer } from '../../attribution/confirm-customer.ts'
import { type Customer, type KnownCustomer, lockCustomerByClick } from '../../customers/customers.ts'
import { confirmLead } from '../../customers/leads.ts'
import type { Tx } from '../../database/transaction.ts'
import { ownedSince } from '../../events/clicks-of-record.ts'
import { storeDecision } from '../../explain/decisions.ts'
import { releaseUnverified } from '../../money/reviews/release-reviews.ts'
import { type Program, settingsAt } from '../../programs/programs.ts'
import { lockCustomerSales, lockWaitingSales } from '../../sales/customer-sales.ts'
import { storeReviewDecision } from '../commissions/store-review-decision.ts'
import { creditWaitingSales } from './credit-waiting-sales.ts'

type Confirmation = {
  hashKey: string
  program: Program
  customerKey: string
  /** The customer whose lead a browser settled. The caller holds the lock on the key. */
  known: KnownCustomer
  by: ConfirmationFacts['by']
  /** The click in the call, and its record if it exists. */
  clickId: string | null
  record: Customer | undefined
  /** Time of the lead or payment. */
  at: Date
  now: Date
}

type Coverage = { clicksOf: Customer; soldSince: Date | null }

/**
 * Confirms a browser-settled lead when a server or processor reports the same customer with a click of the same partner. This
 * releases commissions in review for `unverified_customer` and credits sales made before the lead. If the click differs from
 * the browser's, only sales made since that click belonged to the partner are covered; earlier ones stay in manual review.
 *
 * Locks: the caller holds the key and the clicks; then sales, lead, accounts. New sales of an unverified customer lock the key
 * and corrections lock the lead, so no review can be opened concurrently.
 */
export const confirmBrowserLead = async (tx: Tx, confirmation: Confirmation) => {
  const { hashKey, program, customerKey, known, by, now: at } = confirmation
  const { id: programId } = program
  const { clickId } = known
  const facts: ConfirmationFacts = { by, click: compareClicks(confirmation) }
  const result = confirmCustomer(facts)
  if (result.outcome === 'unconfirmed') return
  await lockCustomerByClick(tx, { programId, clickId })
  const waiting = await lockWaitingSales(tx, { programId, customerKey })
  await lockCustomerSales(tx, { programId, clickId })
  const { clicksOf, soldSince } = await findCoverage(tx, confirmation)
  const leadId = await confirmLead(tx, { programId, clickId, by, since: soldSince, at })
  if (leadId === null) return
  const of = { leadId }
  const rule = 'confirmation'
  await storeDecision(tx, { programId, subject: 'lead', subjectId: leadId, of, rule, facts, result, at })

  const note = `The ${by === 'server' ? 'merchant’s server' : 'payment processor'} confirmed the customer.`
  for (const commissionId of await releaseUnverified(tx, { programId, clickId, note, soldSince, at }))
    await storeReviewDecision(tx, { programId, commissionId, decision: 'confirmed', at })
  await creditWaitingSales(tx, hashKey, { program, clickId, clicksOf, at }, waiting)
}

/**
 * A click other than the browser's proves nothing about the time before it. Otherwise a partner could report a stranger's key
 * and be paid for that person's earlier sales once they click the partner's link.
 */
const findCoverage = async (tx: Tx, { program, known, record }: Confirmation): Promise<Coverage> =>
  record && record.clickId !== known.clickId
    ? { clicksOf: record, soldSince: await ownedSince(tx, { programId: program.id, record }) }
    : { clicksOf: known, soldSince: null }

const compareClicks = ({ program, known, clickId, record, at }: Confirmation): ConfirmationFacts['click'] => {
  if (clickId === null) return 'absent'
  if (!record) return 'unknown'
  if (record.clickId === known.clickId) return 'same'
  if (record.partnerId !== known.partnerId) return 'another_partner'
  return isWithinWindow(record.lastClickedAt, settingsAt(program, at).cookieWindowDays, at) ? 'same_partner' : 'expired'
}
