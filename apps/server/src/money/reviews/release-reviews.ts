import type { PartnerStatus } from '@tributary/contract'
import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'
import { partnerStatuses } from '../commissions/partner-status.ts'
import { rebook } from '../commissions/rebook.ts'
import { lockPartnerAccount } from '../ledger/ledger.ts'
import { markReviewClosed, type ReviewReason, updateReviewReasons } from './reviews.ts'

type Customer = {
  programId: number
  clickId: string
  /** Sales before this date keep the reason; null clears it for all sales. The lead's is always cleared. */
  soldSince: Date | null
}
type Confirmation = Customer & { note: string; at: Date }

/**
 * Removes `unverified_customer` from the open reviews of a confirmed customer and releases those without another reason. If the
 * partner has since been suspended, the review stays open for that reason. Returns the ids of the released commissions.
 */
export const releaseUnverified = async (tx: Tx, { note, at, ...customer }: Confirmation) => {
  const { programId } = customer
  const open = await findUnverifiedReviews(tx, customer)
  // Lock order: partners before accounts.
  const partnerIds = [...new Set(open.map(({ partnerId }) => partnerId))]
  const statuses = await partnerStatuses(tx, { programId, partnerIds, lock: true })
  for (const { partnerId, currency } of open) await lockPartnerAccount(tx, { programId, partnerId, currency })
  const released: number[] = []
  for (const { commissionId, partnerId, reasons } of open) {
    const [reason, ...furtherReasons] = remainingReasons(reasons, statuses.get(partnerId))
    if (reason) {
      await updateReviewReasons(tx, { programId, commissionId, reason, furtherReasons, at })
      continue
    }
    const decision = { decision: 'released', decisionNote: note, decidedBy: null, decidedAt: at } as const
    if (!(await markReviewClosed(tx, { programId, commissionId, ...decision }))) continue
    await rebook(tx, { programId, commissionId, cause: { kind: 'review', ledgerCause: 'review: released' }, at })
    released.push(commissionId)
  }
  return released
}

const remainingReasons = (reasons: ReviewReason[], status: PartnerStatus | undefined): ReviewReason[] => {
  const left = reasons.filter((reason) => reason !== UNVERIFIED && reason !== SUSPENDED)
  const isSuspended = status === 'suspended' || status === 'rejected' || reasons.includes(SUSPENDED)
  return isSuspended ? [SUSPENDED, ...left] : left
}

const UNVERIFIED = 'unverified_customer'
const SUSPENDED = 'partner_suspended'

/** In the order in which accounts are locked. */
const findUnverifiedReviews = async (tx: Tx, { programId, clickId, soldSince }: Customer) => {
  const { rows } = await sql<{ commissionId: number; partnerId: number; currency: string; reasons: ReviewReason[] }>`
    SELECT review.commission_id, commission.partner_id, commission.currency, review.reason || review.further_reasons AS reasons
    FROM (
      SELECT earned.* FROM sales
      JOIN commissions earned ON earned.program_id = sales.program_id AND earned.sale_id = sales.id
      WHERE sales.program_id = ${programId} AND sales.click_id = ${clickId}
        AND sales.sold_at >= coalesce(${soldSince}::timestamptz, '-infinity')
      UNION ALL
      SELECT earned.* FROM leads
      JOIN commissions earned ON earned.program_id = leads.program_id AND earned.lead_id = leads.id
      WHERE leads.program_id = ${programId} AND leads.click_id = ${clickId}) commission
    JOIN commission_reviews review ON review.program_id = commission.program_id AND review.commission_id = commission.id
    WHERE review.decision IS NULL AND ${UNVERIFIED} = ANY (review.reason || review.further_reasons)
    ORDER BY commission.partner_id, commission.currency, commission.id`.execute(tx)
  return rows
}
