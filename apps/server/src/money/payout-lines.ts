import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'
import { append, lockPartnerAccount, type NewLine } from './ledger.ts'

type Key = { programId: number; payoutId: number; lineId: number }

/** The line, what is still reserved by it, and what it has paid. Refunds that came meanwhile have taken from it. */
export const findPayoutLines = async (
  db: Database | Tx,
  { programId, payoutId, lineId = null }: { programId: number; payoutId: number; lineId?: number | null },
) => {
  const { rows } = await sql<{
    id: number
    partnerId: number
    currency: string
    status: 'open' | 'paid' | 'failed'
    reservedCents: number
    batchedCents: number
    paidCents: number
    decidedAt: Date | null
  }>`
    SELECT line.id, line.partner_id, line.currency, line.status, line.reserved_cents, line.decided_at,
      coalesce(sum(moved.cents) FILTER (WHERE account = 'batched'), 0)::bigint AS batched_cents,
      coalesce(sum(moved.cents) FILTER (WHERE account = 'paid'), 0)::bigint AS paid_cents
    FROM payout_lines line
    LEFT JOIN LATERAL (
      SELECT to_account AS account, amount_cents AS cents FROM ledger_lines
      WHERE program_id = line.program_id AND payout_line_id = line.id
      UNION ALL
      SELECT from_account, -amount_cents FROM ledger_lines WHERE program_id = line.program_id AND payout_line_id = line.id) moved ON true
    WHERE line.program_id = ${programId} AND line.payout_id = ${payoutId} AND (${lineId}::bigint IS NULL OR line.id = ${lineId})
    GROUP BY line.program_id, line.id ORDER BY line.id`.execute(db)
  return rows
}

type Line = Awaited<ReturnType<typeof findPayoutLines>>[number]

type Decision = Key & {
  status: 'paid' | 'failed'
  amountCents: number | null
  at: Date
  /** What else belongs to the same transaction. */
  also: (tx: Tx, before: Line, after: Line | undefined) => Promise<unknown>
}

/**
 * Marks a line paid or failed. Paid says how much really left (by default what is reserved now): more than is reserved, for
 * the file was exported before a refund came, is the partner's debt; less goes back into the balance. Saying the same again
 * changes nothing.
 */
export const decidePayoutLine = (
  db: Database,
  { programId, payoutId, lineId, status, amountCents, at, also }: Decision,
) =>
  inTransaction(db, async (tx) => {
    const [found] = await findPayoutLines(tx, { programId, payoutId, lineId })
    if (!found) return null
    await lockPartnerAccount(tx, { programId, ...found })
    const [line] = await findPayoutLines(tx, { programId, payoutId, lineId })
    if (!line || line.status === status) return line ?? null
    if (line.status !== 'open')
      throw new Refusal('conflict', `This line was marked ${line.status} before.`, { field: 'status' })
    if (amountCents !== null && amountCents > line.reservedCents)
      throw new Refusal(
        'invalid_amount',
        `This line was made for ${line.reservedCents}; no more than that can have been paid.`,
        {
          field: 'amountCents',
        },
      )
    const left = line.batchedCents
    const paid = status === 'paid' ? (amountCents ?? left) : 0
    const move = (fromAccount: NewLine['fromAccount'], toAccount: NewLine['toAccount'], cents: number): NewLine => ({
      partnerId: line.partnerId,
      currency: line.currency,
      fromAccount,
      toAccount,
      amountCents: cents,
      availableAt: at,
      cause: `payout ${status}`,
      payoutLineId: lineId,
    })
    const lines = [
      move('batched', 'paid', Math.min(paid, left)),
      move('earned', 'paid', Math.max(paid - left, 0)),
      move('batched', 'earned', Math.max(left - paid, 0)),
    ]
    await append(tx, { programId, at, lines })
    await tx
      .updateTable('payoutLines')
      .set({ status, decidedAt: at })
      .where('programId', '=', programId)
      .where('id', '=', lineId)
      .execute()
    const [after] = await findPayoutLines(tx, { programId, payoutId, lineId })
    await also(tx, line, after)
    return after ?? null
  })
