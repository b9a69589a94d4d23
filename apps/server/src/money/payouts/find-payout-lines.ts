import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'

/** Ledger causes for payout lines marked paid or failed. */
export const CAUSES = { paid: 'payout paid', failed: 'payout failed' }

export type PayoutLine = {
  id: number
  payoutId: number
  partnerId: number
  currency: string
  status: 'open' | 'paid' | 'failed'
  reservedCents: number
  /** The highest amount in any exported file. */
  exportedCents: number | null
  /** The payment file that contains the line, and the payee account in it. */
  fileMethod: 'paypal' | 'wise' | null
  fileAccount: string | null
  reference: string | null
  paidAt: string | null
  note: string | null
  batchedCents: number
  paidCents: number
  returnedCents: number
  amountCents: number
  emptied: boolean
  decidedAt: Date | null
}

/** SQL fragment: the amount still reserved by the payout line aliased `line`. */
export const RESERVED_BY_LINE = sql`
  SELECT coalesce(sum(CASE WHEN to_account = 'batched' THEN amount_cents ELSE -amount_cents END), 0)::bigint FROM ledger_lines
  WHERE program_id = line.program_id AND payout_line_id = line.id AND 'batched' IN (to_account, from_account)`

type Scope = { programId: number } & ({ payoutId: number | RawBuilder<unknown> } | { partnerId: number })

/**
 * The lines of a payout or of a partner with their reserved and paid amounts, after refunds. A failed line returned its amount to the
 * balance; if it returned nothing, refunds had already emptied it.
 */
export const selectPayoutLines = ({ programId, ...scope }: Scope) => sql`
  SELECT line.*, line.status = 'failed' AND returned_cents = 0 AS emptied,
    CASE line.status WHEN 'paid' THEN paid_cents WHEN 'failed' THEN returned_cents ELSE batched_cents END AS amount_cents FROM (
    SELECT line.id, line.payout_id, line.partner_id, line.currency, line.status, line.reserved_cents, line.exported_cents, line.decided_at,
      line.file_method, line.file_account, line.reference, line.paid_on AS paid_at, line.note,
      coalesce(sum(moved.cents) FILTER (WHERE account = 'batched'), 0)::bigint AS batched_cents,
      coalesce(sum(moved.cents) FILTER (WHERE account = 'paid'), 0)::bigint AS paid_cents,
      coalesce(-sum(moved.cents) FILTER (WHERE account = 'batched' AND cause = ${CAUSES.failed}), 0)::bigint AS returned_cents
    FROM payout_lines line
    LEFT JOIN LATERAL (
      SELECT entry.to_account AS account, entry.amount_cents AS cents, entry.cause FROM ledger_lines entry
      WHERE entry.program_id = line.program_id AND entry.payout_line_id = line.id
      UNION ALL
      SELECT entry.from_account, -entry.amount_cents, entry.cause FROM ledger_lines entry
      WHERE entry.program_id = line.program_id AND entry.payout_line_id = line.id) moved ON true
    WHERE line.program_id = ${programId}
      AND ${'payoutId' in scope ? sql`line.payout_id = ${scope.payoutId}` : sql`line.partner_id = ${scope.partnerId}`}
    GROUP BY line.program_id, line.id) line`

type PayoutKey = { programId: number; payoutId: number }

export const findPayoutLines = async (db: Database | Tx, { programId, payoutId }: PayoutKey) => {
  const { rows } = await sql<PayoutLine>`${selectPayoutLines({ programId, payoutId })} ORDER BY id`.execute(db)
  return rows
}

export const findPayoutLine = async (db: Database | Tx, { programId, payoutId, id }: PayoutKey & { id: number }) => {
  const { rows } = await sql<PayoutLine>`${selectPayoutLines({ programId, payoutId })} WHERE id = ${id}`.execute(db)
  return rows[0]
}

/** A line that was found before, as it is now. */
export const readPayoutLine = async (tx: Tx, { programId, line }: { programId: number; line: PayoutLine }) => {
  const found = await findPayoutLine(tx, { programId, ...line })
  if (!found) throw new Error(`payout line ${line.id} is gone`)
  return found
}

/** What a call changed. `before` is null if it changed nothing. */
export type LineChange = { before: PayoutLine | null; after: PayoutLine }
