import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'
import type { Commission } from './commissions.ts'
import { RESERVED_BY_LINE } from './find-payout-lines.ts'
import { type Account, append, lockPartnerAccount, type NewLine, standingOf } from './ledger.ts'
import { closeEmptyLine } from './payout-lines.ts'
import { leaveOpenLine } from './payouts.ts'
import { findReview } from './reviews.ts'

type Moving = {
  programId: number
  commission: Commission
  toAccount: 'program' | 'disputed'
  amountCents: number
  cause: string
  refundId?: number
  /** From what is held for a dispute, before all else: that dispute is lost. */
  disputedFirst?: boolean
  at: Date
}

/**
 * Takes from a commission, wherever it stands: in review, in dispute, reserved by an open payout line, or in the balance,
 * where it becomes a debt if it was paid before. Never twice, for the partner's account is locked meanwhile.
 */
export const takeBack = async (
  tx: Tx,
  { programId, commission, toAccount, amountCents, cause, refundId, disputedFirst = false, at }: Moving,
) => {
  const { id: commissionId, partnerId, currency } = commission
  await lockPartnerAccount(tx, { programId, partnerId, currency })
  const standing = await standingOf(tx, { programId, commissionId })
  const free = standing.promised - standing.disputed
  const amount = Math.min(amountCents, toAccount === 'program' ? standing.promised : free)
  const fromDisputed = disputedFirst ? Math.min(amount, standing.disputed) : Math.max(amount - free, 0)
  const rest = amount - fromDisputed
  const line = (fromAccount: Account, cents: number, payoutLineId: number | null = null): NewLine => ({
    partnerId,
    currency,
    fromAccount,
    toAccount,
    amountCents: cents,
    availableAt: commission.payableAt,
    cause,
    commissionId,
    refundId,
    payoutLineId,
  })
  await append(tx, { programId, at, lines: [line('disputed', fromDisputed)] })
  if (standing.review > 0) await append(tx, { programId, at, lines: [line('review', rest)] })
  else if (rest > 0 || standing.disputed === 0) {
    let fromBalance = rest
    for (const batched of await openLinesOf(tx, { programId, commissionId })) {
      const fromBatch = Math.min(fromBalance, batched.cents)
      fromBalance -= fromBatch
      await append(tx, { programId, at, lines: [line('batched', fromBatch, batched.id)] })
      if (fromBatch === batched.cents) await closeEmptyLine(tx, { programId, lineId: batched.id, at })
      // Of one that is disputed in part, the line still pays the rest.
      if (toAccount === 'disputed' && rest === free)
        await leaveOpenLine(tx, { programId, payoutLineId: batched.id, commissionId })
    }
    await append(tx, { programId, at, lines: [line('earned', fromBalance)] })
  }
  return amount
}

/** What a dispute no longer holds: back to where it would be without it. */
export const giveBack = async (
  tx: Tx,
  { programId, commission, amountCents, cause, at }: Omit<Moving, 'toAccount' | 'refundId' | 'disputedFirst'>,
) => {
  if (amountCents <= 0) return
  const { id: commissionId, partnerId, currency, payableAt: availableAt } = commission
  await lockPartnerAccount(tx, { programId, partnerId, currency })
  const review = await findReview(tx, { programId, commissionId })
  const toAccount = review && review.decision === null ? 'review' : 'earned'
  const line = {
    partnerId,
    currency,
    fromAccount: 'disputed',
    toAccount,
    amountCents,
    availableAt,
    cause,
    commissionId,
  } as const
  await append(tx, { programId, at, lines: [line] })
}

/** The open payout lines that are about to pay this commission, and what is still reserved by each. One that was raised may be in two. */
const openLinesOf = async (tx: Tx, { programId, commissionId }: { programId: number; commissionId: number }) => {
  const { rows } = await sql<{ id: number; cents: number }>`
    SELECT line.id, (${RESERVED_BY_LINE}) AS cents
    FROM payout_commissions JOIN payout_lines line ON line.program_id = payout_commissions.program_id AND line.id = payout_line_id
    WHERE payout_commissions.program_id = ${programId} AND commission_id = ${commissionId} AND status = 'open'
    ORDER BY line.id DESC`.execute(tx)
  return rows
}
