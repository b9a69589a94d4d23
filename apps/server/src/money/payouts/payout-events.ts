import type { PublishedEventData } from '@tributary/contract'
import { sql } from 'kysely'
import type { Tx, Writer } from '../../database/transaction.ts'
import { changing, definePublished } from '../../outbox/publish-changes.ts'
import { type PayoutLine, selectPayoutLines } from './find-payout-lines.ts'

type Data = PublishedEventData['payout.created']
type Row = PayoutLine & { createdAt: Date }

export const PAYOUT_LINES = definePublished<'payout.created'>({
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
})

const toData = (row: Row): Data => {
  const { id, payoutId, partnerId, currency, status, amountCents, reservedCents, emptied } = row
  return {
    id,
    payoutId,
    partnerId,
    currency,
    status,
    amountCents,
    reservedCents,
    emptied,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    reference: row.reference,
    paidAt: row.paidAt,
    createdAt: row.createdAt.toISOString(),
  }
}

type Line = { programId: number; lineId: number; at: Date }

/** For marking a line, which also changes the commissions that it took something from or lost something of. */
export const changingDecidedLine = async (tx: Tx, { programId, lineId, at }: Line): Promise<Writer> => {
  const { rows } = await sql<{ id: number }>`
    SELECT commission_id AS id FROM payout_statement_items WHERE program_id = ${programId} AND payout_line_id = ${lineId}
    UNION
    SELECT commission_id FROM ledger_lines
    WHERE program_id = ${programId} AND payout_line_id = ${lineId} AND commission_id IS NOT NULL`.execute(tx)
  await changing(tx, 'commission', { programId, ids: rows.map(({ id }) => id), at })
  return changing(tx, 'payout', { programId, ids: [lineId], at })
}
