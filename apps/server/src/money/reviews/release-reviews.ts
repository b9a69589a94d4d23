import type { PartnerStatus } from '@tributary/contract'
import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'
import { partnerStatuses } from '../commissions/partner-standing.ts'
import { rebook } from '../commissions/rebook.ts'
import { lockPartnerAccount } from '../ledger/ledger.ts'
import { changeReasons, closeReview, type ReviewReason } from './reviews.ts'

type CustomerId = {
  programId: number
  clickId: string
  /** Sales made before this moment keep the reason; null for all sales. The lead does not. */
  soldSince: Date | null
}
type Confirmed = CustomerId & { note: string; at: Date }

/**
 * The customer is confirmed: the open reviews of their lead and sales lose this reason, and those that have no other are released.
 * What was earned for a partner who is suspended by now stays in review for that. Answers the released commissions.
 */
export const releaseUnverified = async (tx: Tx, { note, at, ...of }: Confirmed) => {
  const { programId } = of
  const open = await unverifiedReviewsOf(tx, of)
  // Partners are locked before accounts, as earning does.
  const partnerIds = [...new Set(open.map(({ partnerId }) => partnerId))]
  const statuses = await partnerStatuses(tx, { programId, partnerIds, isHeld: true })
  for (const { partnerId, currency } of open) await lockPartnerAccount(tx, { programId, partnerId, currency })
  const released: number[] = []
  for (const { commissionId, partnerId, reasons } of open) {
    const [reason, ...furtherReasons] = reasonsLeft(reasons, statuses.get(partnerId))
    if (reason) {
      await changeReasons(tx, { programId, commissionId, reason, furtherReasons })
      continue
    }
    const decision = { decision: 'released', decisionNote: note, decidedBy: null, decidedAt: at } as const
    if (!(await closeReview(tx, { programId, commissionId, ...decision }))) continue
    await rebook(tx, { programId, commissionId, cause: { kind: 'review', word: 'review: released' }, at })
    released.push(commissionId)
  }
  return released
}

const reasonsLeft = (reasons: ReviewReason[], status: PartnerStatus | undefined): ReviewReason[] => {
  const left = reasons.filter((reason) => reason !== UNVERIFIED && reason !== SUSPENDED)
  const isSuspended = status === 'suspended' || status === 'rejected' || reasons.includes(SUSPENDED)
  return isSuspended ? [SUSPENDED, ...left] : left
}

const UNVERIFIED = 'unverified_customer'
const SUSPENDED = 'partner_suspended'

/** Of the customer's lead and sales, in the order in which accounts are locked. */
const unverifiedReviewsOf = async (tx: Tx, { programId, clickId, soldSince }: CustomerId) => {
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
