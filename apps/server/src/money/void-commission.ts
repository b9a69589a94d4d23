import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'
import { type Commission, findCommission, findCommissionOfSale } from './commissions.ts'
import { lockPartnerAccount, standingOf } from './ledger.ts'
import { findReview, rejectWithoutReview, VOIDED } from './reviews.ts'
import { takeBack } from './take-back.ts'

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
    const commission = await lockCommission(tx, { programId, commissionId })
    if (!commission) return null
    const rejection = { programId, commissionId, reason: VOIDED, decisionNote: reason, decidedBy: userId, at }
    if (!(await rejectWithoutReview(tx, rejection))) throw await refusalOf(tx, { programId, commissionId })
    const leftCents = await reverseAll(tx, { programId, commission, cause: 'voided', at })
    await also(tx, { leftCents, currency: commission.currency })
    return commission
  })

type Key = { programId: number; commissionId: number }

/** Under the lock of the account its amount and date cannot change any more. */
const lockCommission = async (tx: Tx, { programId, commissionId: id }: Key) => {
  const found = await findCommission(tx, { programId, id })
  if (!found) return null
  await lockPartnerAccount(tx, { programId, partnerId: found.partnerId, currency: found.currency })
  return (await findCommission(tx, { programId, id })) ?? null
}

type Reversing = { programId: number; commission: Commission; cause: string; at: Date }

const reverseAll = async (tx: Tx, { programId, commission, cause, at }: Reversing) => {
  const { promised: amountCents } = await standingOf(tx, { programId, commissionId: commission.id })
  await takeBack(tx, { programId, commission, toAccount: 'program', amountCents, cause, at })
  return amountCents
}

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
  const commission = await lockCommission(tx, { programId, commissionId: after.id })
  if (!commission) return null
  await rejectWithoutReview(tx, { programId, commissionId: after.id, reason, decisionNote, decidedBy, at })
  const cause = reason === VOIDED ? 'voided' : 'review: rejected'
  await reverseAll(tx, { programId, commission, cause, at })
  return { commissionId: after.id, decision: reason === VOIDED ? ('voided' as const) : ('rejected' as const) }
}
