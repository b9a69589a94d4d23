import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'

/** What the ledger says of a line that somebody has marked. */
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
  /** The payment file that has the line, and the account in it. */
  fileMethod: 'paypal' | 'wise' | null
  fileAccount: string | null
  reference: string | null
  paidAt: string | null
  batchedCents: number
  paidCents: number
  returnedCents: number
  amountCents: number
  emptied: boolean
  decidedAt: Date | null
}

/** What is still reserved by the `line` of a query. */
export const RESERVED_BY_LINE = sql`
  SELECT coalesce(sum(CASE WHEN to_account = 'batched' THEN amount_cents ELSE -amount_cents END), 0)::bigint FROM ledger_lines
  WHERE program_id = line.program_id AND payout_line_id = line.id AND 'batched' IN (to_account, from_account)`

type Whose = { programId: number } & ({ payoutId: number | RawBuilder<unknown> } | { partnerId: number })

/**
 * The lines of a batch or of a partner, what is still reserved by them and what they have paid. Refunds that came meanwhile
 * have taken from it. One that failed gave back what was to be paid; where it gave back nothing, nothing had been left.
 */
export const payoutLinesOf = ({ programId, ...of }: Whose) => sql`
  SELECT line.*, line.status = 'failed' AND returned_cents = 0 AS emptied,
    CASE line.status WHEN 'paid' THEN paid_cents WHEN 'failed' THEN returned_cents ELSE batched_cents END AS amount_cents FROM (
    SELECT line.id, line.payout_id, line.partner_id, line.currency, line.status, line.reserved_cents, line.exported_cents, line.decided_at,
      line.file_method, line.file_account, line.reference, line.paid_on AS paid_at,
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
      AND ${'payoutId' in of ? sql`line.payout_id = ${of.payoutId}` : sql`line.partner_id = ${of.partnerId}`}
    GROUP BY line.program_id, line.id) line`

export const findPayoutLines = async (
  db: Database | Tx,
  { programId, payoutId, lineId }: { programId: number; payoutId: number; lineId?: number },
) => {
  const { rows } = await sql<PayoutLine>`${payoutLinesOf({ programId, payoutId })}
    ${lineId === undefined ? sql`` : sql`WHERE id = ${lineId}`} ORDER BY id`.execute(db)
  return rows
}
