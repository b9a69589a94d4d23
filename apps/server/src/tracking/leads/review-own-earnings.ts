import { lockCustomerByClick } from '../../customers/customers.ts'
import { lockLeadByClick } from '../../customers/leads.ts'
import type { Tx } from '../../database/transaction.ts'
import { sendOwnToReview } from '../../money/reviews/send-to-review.ts'
import { lockSalesNaming } from '../../sales/customer-sales.ts'
import { storeReviewDecision } from '../commissions/commission-changes.ts'

type Own = {
  programId: number
  clickId: string
  /** The caller holds its lock. Null if it may be another customer's. */
  customerKey: string | null
  partnerId: number
  at: Date
}

/** Sends what the partner has earned from a customer to review, because the customer turned out to be the partner. */
export const reviewOwnEarnings = async (tx: Tx, { customerKey, ...own }: Own) => {
  const { programId, clickId, at } = own
  await lockCustomerByClick(tx, { programId, clickId })
  const saleIds = await lockSalesNaming(tx, { programId, clickId, customerKey })
  await lockLeadByClick(tx, { programId, clickId })
  for (const commissionId of await sendOwnToReview(tx, { ...own, saleIds }))
    await storeReviewDecision(tx, { programId, commissionId, decision: 'self_referral', at })
}
