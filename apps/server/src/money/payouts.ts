import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'
import { append, balances, lockPartnerAccount } from './ledger.ts'
import { termsAt } from './reward-terms.ts'
import { sealProgram } from './seal.ts'

export type Due = { partnerId: number; currency: string; amountCents: number }

/** Everybody whose payable balance is above zero and reaches their minimum. A debt is never a payout; it waits. */
export const duePayouts = async (
  db: Database | Tx,
  { programId, at }: { programId: number; at: Date },
): Promise<Due[]> => {
  const due: Due[] = []
  for (const { partnerId, currency, payableCents, batchedCents } of await balances(db, { programId, at })) {
    if (payableCents <= 0 || batchedCents > 0) continue
    const terms = await termsAt(db, { programId, partnerId, at })
    const minimum = terms?.currency === currency ? terms.minimumPayoutCents : 0
    if (payableCents >= minimum) due.push({ partnerId, currency, amountCents: payableCents })
  }
  return due
}

type NewPayout = {
  programId: number
  createdBy: string
  at: Date
  /** What else belongs to the same transaction. */
  also: (tx: Tx, payoutId: number, lines: Due[]) => Promise<unknown>
}

/** A batch of all that is due. Accounts are locked in one order and then looked at again: two people at once make one batch. */
export const createPayout = async (db: Database, { programId, createdBy, at, also }: NewPayout) => {
  await sealProgram(db, { programId, at })
  return inTransaction(db, async (tx) => {
    for (const { partnerId, currency } of await duePayouts(tx, { programId, at }))
      await lockPartnerAccount(tx, { programId, partnerId, currency })
    const due = await duePayouts(tx, { programId, at })
    if (due.length === 0)
      throw new Refusal('conflict', 'Nothing is payable now: it is held, below the minimum, or in an open payout.')
    const { id } = await tx
      .insertInto('payouts')
      .values({ programId, createdBy, cutoffAt: at })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const line of due) await reserve(tx, { programId, payoutId: id, at, ...line })
    await also(tx, id, due)
    return id
  })
}

const reserve = async (
  tx: Tx,
  {
    programId,
    payoutId,
    at,
    partnerId,
    currency,
    amountCents,
  }: Due & { programId: number; payoutId: number; at: Date },
) => {
  const { id: payoutLineId } = await tx
    .insertInto('payoutLines')
    .values({ programId, payoutId, partnerId, currency, reservedCents: amountCents })
    .returning('id')
    .executeTakeFirstOrThrow()
  const move = {
    partnerId,
    currency,
    fromAccount: 'earned',
    toAccount: 'batched',
    amountCents,
    availableAt: at,
  } as const
  await append(tx, { programId, at, lines: [{ ...move, cause: 'reserved for payout', payoutLineId }] })
  await sql`
    INSERT INTO payout_commissions (program_id, payout_line_id, commission_id)
    SELECT program_id, ${payoutLineId}, id FROM commissions commission
    WHERE program_id = ${programId} AND partner_id = ${partnerId} AND currency = ${currency} AND payable_at <= ${at}
      AND NOT EXISTS (
        SELECT FROM payout_commissions paid JOIN payout_lines line ON line.program_id = paid.program_id AND line.id = paid.payout_line_id
        WHERE paid.program_id = commission.program_id AND paid.commission_id = commission.id AND line.status <> 'failed')
      AND NOT EXISTS (
        SELECT FROM commission_reviews review
        WHERE review.program_id = commission.program_id AND review.commission_id = commission.id AND review.decision IS NULL)`.execute(
    tx,
  )
}
