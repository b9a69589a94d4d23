import type { SelfReferralMatch } from '@tributary/contract'
import { sql } from 'kysely'
import { lockCustomerByClick } from '../../customers/customers.ts'
import { lockLeadByClick } from '../../customers/leads.ts'
import { type CustomerNames, matchesOf, type PartnerNames } from '../../customers/match-partner.ts'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import { IS_TO_REVIEW, sendOwnToReview } from '../../money/reviews/send-to-review.ts'
import { isSeenAsPartner } from '../../partners/partner-visits.ts'
import { lockSalesNaming } from '../../sales/customer-sales.ts'
import { partnerAddresses, partnerDestination } from '../commissions/earn-commissions.ts'
import { storeReviewDecision } from '../commissions/store-review-decision.ts'

type Customer = {
  programId: number
  clickId: string
  /** Null if it may be another customer's. */
  customerKey: string | null
  names: CustomerNames
}

type Earner = PartnerNames & { id: number; isSeenAsPartner: boolean }
export type OwnEarner = { partnerId: number; matches: SelfReferralMatch[] }

/**
 * The partners who have earned from the customer what is not in review yet, and are the customer. Not always the partner of the customer's record: a sale
 * that named the key before its lead was credited by its own click, and later clicks change a record's partner.
 */
export const findOwnEarners = async (
  db: Database | Tx,
  hashKey: string,
  { names, ...customer }: Customer,
): Promise<OwnEarner[]> => {
  const { programId, clickId, customerKey } = customer
  const { rows } = await sql<Earner>`
    SELECT partners.id, ${partnerAddresses} AS emails, ${partnerDestination} AS destination, ${isSeenAsPartner} AS is_seen_as_partner
    FROM partners
    JOIN customers customer ON customer.program_id = ${programId} AND customer.click_id = ${clickId}
    CROSS JOIN LATERAL (
      SELECT partners.program_id, partners.id AS partner_id, ${clickId}::text COLLATE "C" AS click_id) event
    WHERE partners.program_id = ${programId} AND partners.id IN (
      SELECT earned.partner_id FROM (
        SELECT commissions.* FROM sales
        JOIN commissions ON commissions.program_id = sales.program_id AND commissions.sale_id = sales.id
        WHERE sales.program_id = ${programId} AND (sales.click_id = ${clickId} OR sales.customer_key = ${customerKey})
        UNION ALL
        SELECT commissions.* FROM leads
        JOIN commissions ON commissions.program_id = leads.program_id AND commissions.lead_id = leads.id
        WHERE leads.program_id = ${programId} AND leads.click_id = ${clickId}) earned
      LEFT JOIN commission_reviews review ON review.program_id = earned.program_id AND review.commission_id = earned.id
      WHERE ${IS_TO_REVIEW})`.execute(db)
  return rows
    .map(({ id, isSeenAsPartner: isSeen, ...partner }) => ({
      partnerId: id,
      matches: matchesOf(hashKey, { ...names, isSeenAsPartner: isSeen }, partner),
    }))
    .filter(({ matches }) => matches.length > 0)
}

/**
 * Sends what partners have earned from these customers to review, because the customer turned out to be the partner. The caller
 * holds the locks on the keys. Sorted by partner, because accounts are locked last.
 */
export const reviewOwnEarnings = async (tx: Tx, hashKey: string, customers: (Customer & { at: Date })[]) => {
  const own: Parameters<typeof sendOwnToReview>[1][] = []
  for (const customer of customers) {
    const { programId, clickId, at } = customer
    await lockCustomerByClick(tx, { programId, clickId })
    const saleIds = await lockSalesNaming(tx, customer)
    await lockLeadByClick(tx, { programId, clickId })
    for (const earner of await findOwnEarners(tx, hashKey, customer))
      own.push({ programId, clickId, saleIds, ...earner, at })
  }
  for (const one of own.toSorted((a, b) => a.programId - b.programId || a.partnerId - b.partnerId))
    for (const commissionId of await sendOwnToReview(tx, one))
      await storeReviewDecision(tx, { ...one, commissionId, decision: 'self_referral' })
}
