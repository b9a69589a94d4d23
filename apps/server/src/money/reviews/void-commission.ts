import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { Refusal } from '../../refusal.ts'
import { findCommission, findCommissionOfSale } from '../commissions/commissions.ts'
import { lockAccountOf, rebook } from '../commissions/rebook.ts'
import { findReview, rejectWithoutReview, VOIDED } from './reviews.ts'

type Voiding = {
  programId: number
  commissionId: number
  reason: string
  userId: string
  at: Date
  /** What else belongs to the same transaction. */
  also: (tx: Tx, before: { leftCents: number; currency: string }) => Promise<unknown>
}

/**
 * Reverses what is left of a commission, wherever it is, for good. A void is a review that is opened and rejected in one step:
 * whatever is reported later about the sale, a rejected commission stays at zero.
 */
export const voidCommission = (db: Database, { programId, commissionId, reason, userId, at, also }: Voiding) =>
  inTransaction(db, async (tx) => {
    const key = { programId, commissionId }
    await lockAccountOf(tx, key)
    const commission = await findCommission(tx, { programId, id: commissionId })
    if (!commission) return null
    const rejection = { reason: VOIDED, decisionNote: reason, decidedBy: userId }
    if (!(await rejectWithoutReview(tx, { ...key, ...rejection, at }))) throw await refusalOf(tx, key)
    const rebooked = await rebook(tx, { ...key, cause: { kind: 'review', word: 'voided' }, at })
    await also(tx, { leftCents: rebooked?.before.promised ?? 0, currency: commission.currency })
    return commission
  })

type Key = { programId: number; commissionId: number }

const refusalOf = async (tx: Tx, key: Key) =>
  (await findReview(tx, key))?.reason === VOIDED
    ? new Refusal('conflict', 'This commission is already voided; nothing is left to void.')
    : new Refusal('conflict', 'This commission was rejected in a review; nothing is left to void.')

type Remade = { programId: number; fromSaleId: number; toSaleId: number; at: Date }

/**
 * A sale that is recorded anew, because a later report corrected it, earns anew. What a person has voided or rejected before
 * stays so, if it is the same partner who would earn. Answers the commission and what was decided about it.
 */
export const carryRejection = async (tx: Tx, { programId, fromSaleId, toSaleId, at }: Remade) => {
  const before = await findCommissionOfSale(tx, { programId, saleId: fromSaleId })
  const after = await findCommissionOfSale(tx, { programId, saleId: toSaleId })
  if (!before || !after || before.partnerId !== after.partnerId) return null
  const review = await findReview(tx, { programId, commissionId: before.id })
  if (review?.decision !== 'rejected') return null
  const { reason, decisionNote, decidedBy } = review
  const key = { programId, commissionId: after.id }
  await lockAccountOf(tx, key)
  if (!(await rejectWithoutReview(tx, { ...key, reason, decisionNote, decidedBy, at }))) return null
  await rebook(tx, { ...key, cause: { kind: 'review', word: reason === VOIDED ? 'voided' : 'review: rejected' }, at })
  return { commissionId: after.id, decision: reason === VOIDED ? ('voided' as const) : ('rejected' as const) }
}
