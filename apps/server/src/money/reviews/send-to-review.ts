import type { SelfReferralMatch } from '@tributary/contract'
import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'
import { partnerStatuses } from '../commissions/partner-status.ts'
import { rebook } from '../commissions/rebook.ts'
import { lockPartnerAccount } from '../ledger/ledger.ts'
import { openReview, type ReviewReason, reopenReview } from './reviews.ts'

type Customer = {
  programId: number
  clickId: string
  saleIds: number[]
  partnerId: number
  matches: SelfReferralMatch[]
}

/**
 * Sends what the partner has earned from these sales and the customer's lead to review, because the customer turned out to be the partner. What a member
 * has decided stays. Returns the commissions that changed.
 */
export const sendOwnToReview = async (tx: Tx, { at, ...customer }: Customer & { at: Date }) => {
  const { programId, partnerId, matches } = customer
  // Lock order: partners before accounts.
  await partnerStatuses(tx, { programId, partnerIds: [partnerId], lock: true })
  const found = await findCommissionsToReview(tx, customer)
  for (const { currency } of found) await lockPartnerAccount(tx, { programId, partnerId, currency })
  for (const { commissionId, reasons } of found) {
    const key = { programId, commissionId }
    if (reasons) await reopenReview(tx, { ...key, ...withOwn(reasons), matches, at })
    else await openReview(tx, { ...key, reason: OWN, furtherReasons: [], matches, openedAt: at })
    await rebook(tx, { ...key, cause: { kind: 'review', ledgerCause: `sent to review: ${OWN}` }, at })
  }
  return found.map(({ commissionId }) => commissionId)
}

const OWN = 'customer_is_partner'
const UNVERIFIED = 'unverified_customer'

/** In the order of `reviewReasons`. */
const withOwn = (reasons: ReviewReason[]) => {
  const others = reasons.filter((reason) => reason !== UNVERIFIED)
  const [reason = OWN, ...furtherReasons] = [...others, OWN, ...reasons.filter((one) => one === UNVERIFIED)] as const
  return { reason, furtherReasons }
}

/**
 * SQL fragment on the commission's `review`, if it has one. Without a decision of a member: a confirmation of the customer releases
 * reviews automatically.
 */
export const IS_TO_REVIEW = sql`(review.decision IS NULL OR review.decision = 'released' AND review.decided_by IS NULL)
  AND (review.decision IS NOT NULL OR review.reason IS NULL OR ${OWN} <> ALL (review.reason || review.further_reasons))`

/** In the order in which accounts are locked. `reasons` is null without a review. */
const findCommissionsToReview = async (
  tx: Tx,
  { programId, clickId, saleIds, partnerId }: Omit<Customer, 'matches'>,
) => {
  const { rows } = await sql<{ commissionId: number; currency: string; reasons: ReviewReason[] | null }>`
    SELECT commission.id AS commission_id, commission.currency,
      CASE WHEN review.decision IS NOT NULL THEN '{}' WHEN review.reason IS NOT NULL THEN review.reason || review.further_reasons END AS reasons
    FROM (
      SELECT * FROM commissions WHERE program_id = ${programId} AND sale_id = ANY (${saleIds}::bigint[])
      UNION ALL
      SELECT earned.* FROM leads
      JOIN commissions earned ON earned.program_id = leads.program_id AND earned.lead_id = leads.id
      WHERE leads.program_id = ${programId} AND leads.click_id = ${clickId}) commission
    LEFT JOIN commission_reviews review ON review.program_id = commission.program_id AND review.commission_id = commission.id
    WHERE commission.partner_id = ${partnerId} AND commission.kind IN ('lead', 'sale')
      AND ${IS_TO_REVIEW}
    ORDER BY commission.currency, commission.id`.execute(tx)
  return rows
}
