import type { PublishedEventData } from '@tributary/contract'
import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'
import { type Watched, watch } from '../../outbox/watch.ts'
import { watchCommissions } from '../commissions/commission-events.ts'
import { type PayoutLine, selectPayoutLines } from './find-payout-lines.ts'

type Data = PublishedEventData['payout.created']
type Row = PayoutLine & { createdAt: Date }

export const PAYOUT_LINES: Watched<'payout.created'> = {
  name: 'payout',
  rank: 5,
  read: async (tx, programId, ids) => {
    const ofLines = sql`ANY (ARRAY (SELECT payout_id FROM payout_lines WHERE program_id = ${programId} AND id = ANY (${ids}::bigint[])))`
    const { rows } = await sql<Row>`
      SELECT line.*, payout.cutoff_at AS created_at FROM (${selectPayoutLines({ programId, payoutId: ofLines })}) line
      JOIN payouts payout ON payout.program_id = ${programId} AND payout.id = line.payout_id
      WHERE line.id = ANY (${ids}::bigint[])`.execute(tx)
    return rows.map(toData)
  },
  typesOf: (before, { status }, changed) => {
    if (!before) return ['payout.created']
    if (!changed.has('status')) return ['payout.updated']
    return [status === 'paid' ? 'payout.paid' : 'payout.failed']
  },
}

const toData = (row: Row): Data => {
  const { id, payoutId, partnerId, currency, status, amountCents, reservedCents, emptied } = row
  return {
    ...{ id, payoutId, partnerId, currency, status, amountCents, reservedCents, emptied },
    ...{ decidedAt: row.decidedAt?.toISOString() ?? null, reference: row.reference, paidAt: row.paidAt },
    createdAt: row.createdAt.toISOString(),
  }
}

type Lines = { programId: number; ids: number[]; at: Date; isNew?: boolean }

export const watchPayoutLines = (tx: Tx, scope: Lines) => watch(tx, PAYOUT_LINES, scope)

type Line = { programId: number; lineId: number; at: Date }

/**
 * Publishes what marking a line changes: the line, the commissions it lists, and commissions paid earlier whose reversals it
 * deducts. Those have a ledger line between the previous reservation of the account and this one.
 */
export const watchDecidedLine = async (tx: Tx, { programId, lineId, at }: Line) => {
  await watchPayoutLines(tx, { programId, ids: [lineId], at })
  const { rows } = await sql<{ id: number }>`
    WITH reserved AS (
      SELECT entry.id, entry.partner_id, entry.currency, (
        SELECT coalesce(max(earlier.id), 0) FROM ledger_lines earlier
        JOIN payout_lines line ON line.program_id = earlier.program_id AND line.id = earlier.payout_line_id AND line.status <> 'failed'
        WHERE earlier.program_id = entry.program_id AND earlier.partner_id = entry.partner_id AND earlier.currency = entry.currency
          AND earlier.from_account = 'earned' AND earlier.to_account = 'batched' AND earlier.id < entry.id) AS previous
      FROM ledger_lines entry
      WHERE entry.program_id = ${programId} AND entry.payout_line_id = ${lineId} AND entry.from_account = 'earned'
        AND entry.to_account = 'batched')
    SELECT commission_id AS id FROM payout_commissions WHERE program_id = ${programId} AND payout_line_id = ${lineId}
    UNION
    SELECT entry.commission_id FROM reserved JOIN ledger_lines entry ON entry.program_id = ${programId}
      AND (entry.partner_id, entry.currency) = (reserved.partner_id, reserved.currency)
      AND entry.id BETWEEN reserved.previous AND reserved.id
    WHERE entry.commission_id IS NOT NULL
    UNION
    SELECT entry.commission_id FROM ledger_lines entry
    WHERE entry.program_id = ${programId} AND entry.payout_line_id = ${lineId} AND entry.commission_id IS NOT NULL`.execute(
    tx,
  )
  await watchCommissions(tx, { programId, ids: rows.map(({ id }) => id), at })
}
