import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'

/** Few plain rules that ask a person instead of deciding in silence. */
export type ReviewReason = 'customer_is_partner' | 'many_leads_from_one_visitor'

export const openReview = (
  tx: Tx,
  review: { programId: number; commissionId: number; reason: ReviewReason; openedAt: Date },
) => tx.insertInto('commissionReviews').values(review).execute()

type Key = { programId: number; commissionId: number }

export const findReview = (db: Database | Tx, { programId, commissionId }: Key) =>
  db
    .selectFrom('commissionReviews')
    .select(['reason', 'openedAt', 'decision', 'decisionNote', 'decidedAt'])
    .where('programId', '=', programId)
    .where('commissionId', '=', commissionId)
    .executeTakeFirst()

/** False where somebody decided before. */
export const closeReview = async (
  tx: Tx,
  {
    programId,
    commissionId,
    ...decision
  }: Key & { decision: 'released' | 'rejected'; decisionNote: string; decidedBy: string; decidedAt: Date },
) => {
  const closed = await tx
    .updateTable('commissionReviews')
    .set(decision)
    .where('programId', '=', programId)
    .where('commissionId', '=', commissionId)
    .where('decision', 'is', null)
    .executeTakeFirst()
  return closed.numUpdatedRows > 0n
}
