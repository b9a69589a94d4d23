import type { Tx } from '../../database/transaction.ts'
import { findCommissionOfSale } from '../commissions/commissions.ts'
import { lockCommissionAccount, rebook } from '../commissions/rebook.ts'
import { findReview, rejectWithoutReview } from './reviews.ts'

type ReplacedSale = { programId: number; fromSaleId: number; toSaleId: number; at: Date }

/**
 * A sale that is replaced because of a corrected report earns a new commission. If a person rejected the old one, the new one is
 * rejected too, as long as it belongs to the same partner. Returns the rejected commission, or null. Voids need no copy: they are
 * adjustments, which hold for the remaining sale.
 */
export const copyRejection = async (tx: Tx, { programId, fromSaleId, toSaleId, at }: ReplacedSale) => {
  const before = await findCommissionOfSale(tx, { programId, saleId: fromSaleId })
  const after = await findCommissionOfSale(tx, { programId, saleId: toSaleId })
  if (!before || !after || before.partnerId !== after.partnerId) return null
  const review = await findReview(tx, { programId, commissionId: before.id })
  if (review?.decision !== 'rejected') return null
  const { reason, decisionNote, decidedBy } = review
  const key = { programId, commissionId: after.id }
  await lockCommissionAccount(tx, key)
  if (!(await rejectWithoutReview(tx, { ...key, reason, decisionNote, decidedBy, at }))) return null
  await rebook(tx, { ...key, cause: { kind: 'review', ledgerCause: 'review: rejected' }, at })
  return { commissionId: after.id, decision: 'rejected' as const }
}
