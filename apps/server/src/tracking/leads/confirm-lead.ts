import { isWithinWindow } from '../../attribution/click-window.ts'
import { type ConfirmationFacts, confirmCustomer } from '../../attribution/confirm-customer.ts'
import { type Customer, type KnownCustomer, lockCustomerByClick } from '../../customers/customers.ts'
import { confirmLead } from '../../customers/leads.ts'
import type { Tx } from '../../database/transaction.ts'
import { heldSince } from '../../events/clicks-of-record.ts'
import { keepDecision } from '../../explain/decisions.ts'
import { releaseUnverified } from '../../money/reviews/release-reviews.ts'
import { type Program, settingsAt } from '../../programs/programs.ts'
import { lockSalesOfCustomer, lockWaitingSales } from '../../sales/sales-of-customer.ts'
import { keepReviewDecision } from '../sales/commission-changes.ts'
import { creditWaitingSales } from './credit-waiting-sales.ts'

type Confirming = {
  hashKey: string
  program: Program
  customerKey: string
  /** The customer, whose lead a browser settled, with the key locked. */
  known: KnownCustomer
  by: ConfirmationFacts['by']
  /** The click that the call named, and its record if there is one. */
  clickId: string | null
  record: Customer | undefined
  /** When the sign-up or the payment happened, and now. */
  at: Date
  now: Date
}

type Covered = { clicksOf: Customer; soldSince: Date | null }

/**
 * A server or a processor reports a customer whose lead a browser settled. If the call names a click of the same partner, the
 * customer is confirmed: reviews that waited for this are released, and sales made before the lead are credited. Where it is not
 * the browser's own click, this is so for sales since the named one has been that partner's; reviews of earlier sales wait for a person.
 *
 * Locks: the key and the clicks are held; then the sales, the lead, and the accounts. A sale that is being
 * made for an unverified customer holds the key, a correction of one holds the lead, so neither can open a review unnoticed.
 */
export const confirmLeadOf = async (tx: Tx, confirming: Confirming) => {
  const { hashKey, program, customerKey, known, by, now: at } = confirming
  const { id: programId } = program
  const { clickId } = known
  const facts: ConfirmationFacts = { by, click: compareClicks(confirming) }
  const result = confirmCustomer(facts)
  if (result.outcome === 'unconfirmed') return
  await lockCustomerByClick(tx, { programId, clickId })
  const waiting = await lockWaitingSales(tx, { programId, customerKey })
  await lockSalesOfCustomer(tx, { programId, clickId })
  const { clicksOf, soldSince } = await coveredBy(tx, confirming)
  const leadId = await confirmLead(tx, { programId, clickId, by, since: soldSince, at })
  if (leadId === null) return
  const of = { leadId }
  const rule = 'confirmation'
  await keepDecision(tx, { programId, subject: 'lead', subjectId: leadId, of, rule, facts, result, at })

  const note = `The ${by === 'server' ? 'merchant’s server' : 'payment processor'} confirmed the customer.`
  for (const commissionId of await releaseUnverified(tx, { programId, clickId, note, soldSince, at }))
    await keepReviewDecision(tx, { programId, commissionId, decision: 'confirmed', at })
  await creditWaitingSales(tx, hashKey, { program, clickId, clicksOf, at }, waiting)
}

/**
 * What the click that the call named is evidence for. Another click than the browser's says nothing about the time before it:
 * somebody who reports a stranger's key must not be paid for earlier sales because that person later clicks their link. Nor do
 * clicks of others that the same visitor made before.
 */
const coveredBy = async (tx: Tx, { program, known, record }: Confirming): Promise<Covered> =>
  record && record.clickId !== known.clickId
    ? { clicksOf: record, soldSince: await heldSince(tx, { programId: program.id, record }) }
    : { clicksOf: known, soldSince: null }

const compareClicks = ({ program, known, clickId, record, at }: Confirming): ConfirmationFacts['click'] => {
  if (clickId === null) return 'absent'
  if (!record) return 'unknown'
  if (record.clickId === known.clickId) return 'same'
  if (record.partnerId !== known.partnerId) return 'another_partner'
  return isWithinWindow(record.lastClickedAt, settingsAt(program, at).cookieWindowDays, at) ? 'same_partner' : 'expired'
}
