import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { Refusal } from '../../refusal.ts'
import { findCommission, findCommissionOfSale } from '../commissions/commissions.ts'
import { lockCommissionAccount, rebook } from '../commissions/rebook.ts'
import { findReview, rejectWithoutReview, VOIDED } from './reviews.ts'

type VoidInput = {
  programId: number
  commissionId: number
  reason: string
  userId: string
  at: Date
  /** Runs in the same transaction. */
  also: (tx: Tx, before: { leftCents: number; currency: string }) => Promise<unknown>
}

/**
 * Reverses the rest of a commission permanently. A void is a review that is opened and rejected in one step: whatever is reported
 * later about the sale, a rejected commission stays at zero.
 */
export const voidCommission = (db: Database, { programId, commissionId, reason, userId, at, also }: VoidInput) =>
  inTransaction(db, async (tx) => {
    const key = { programId, commissionId }
    await lockCommissionAccount(tx, key)
    const commission = await findCommission(tx, { programId, id: commissionId })
    if (!commission) return null
    const rejection = { reason: VOIDED, decisionNote: reason, decidedBy: userId }
    if (!(await rejectWithoutReview(tx, { ...key, ...rejection, at }))) throw await alreadyRejected(tx, key)
    const rebooked = await rebook(tx, { ...key, cause: { kind: 'review', ledgerCause: 'voided' }, at })
    await also(tx, { leftCents: rebooked?.before.promised ?? 0, currency: commission.currency })
    return commission
  })

type Key = { programId: number; commissionId: number }

const alreadyRejected = async (tx: Tx, key: Key) =>
  (await findReview(tx, key))?.reason === VOIDED
    ? new Refusal('conflict', 'This commission is already voided.')
    : new Refusal('conflict', 'This commission was already rejected in a review, so there is nothing to void.')

type ReplacedSale = { programId: number; fromSaleId: number; toSaleId: number; at: Date }

/**
 * A sale that is replaced because of a corrected report earns a new commission. If a person voided or rejected the old one, the new
 * one is rejected too, as long as it belongs to the same partner. Returns the rejected commission, or null.
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
  await rebook(tx, {
    ...key,
    cause: { kind: 'review', ledgerCause: reason === VOIDED ? 'voided' : 'review: rejected' },
    at,
  })
  return { commissionId: after.id, decision: reason === VOIDED ? ('voided' as const) : ('rejected' as const) }
}
