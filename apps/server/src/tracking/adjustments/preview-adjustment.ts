import type { AdjustmentPreview } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'

type Change = Omit<AdjustmentPreview['changes'][number], 'payableAt'> & { payableAt: Date | null }

/** Carries the result out of the transaction that is rolled back. */
class Previewed extends Error {
  readonly changes: Change[]
  constructor(changes: Change[]) {
    super('The preview is rolled back')
    this.changes = changes
  }
}

/** Runs an adjustment, reads what it changed, and rolls it back. */
export const previewAdjustment = async (
  db: Database,
  { programId, run }: { programId: number; run: (tx: Tx) => Promise<unknown> },
): Promise<Change[]> => {
  try {
    return await inTransaction(db, async (tx) => {
      const after = await findLastLine(tx, programId)
      await run(tx)
      throw new Previewed(await findChanges(tx, { programId, after }))
    })
  } catch (error) {
    if (error instanceof Previewed) return error.changes
    throw error
  }
}

/** IDs only grow, so the lines that follow are later ones, of this or of concurrent transactions. */
const findLastLine = async (tx: Tx, programId: number) => {
  const { rows } = await sql<{ id: number }>`
    SELECT coalesce(max(id), 0) AS id FROM ledger_lines WHERE program_id = ${programId}`.execute(tx)
  return rows[0]?.id ?? 0
}

/**
 * What the ledger lines of this transaction change for each partner. `xmin` is the transaction that wrote a row; it has no index, so
 * `after` keeps the rest of the ledger out. A debt is what the partner's balance lacks afterwards, at most what was taken back.
 */
const findChanges = async (tx: Tx, { programId, after }: { programId: number; after: number }) => {
  const { rows } = await sql<Change>`
    SELECT changed.partner_id, partner.name AS partner_name, partner.status AS partner_status, changed.currency, changed.amount_cents, changed.review_cents,
      CASE WHEN changed.amount_cents > 0 THEN changed.payable_at END AS payable_at,
      greatest(0, least(-changed.amount_cents, -balance.cents))::bigint AS debt_cents
    FROM (
      SELECT partner_id, currency,
        sum(CASE 'program' WHEN from_account THEN amount_cents WHEN to_account THEN -amount_cents ELSE 0 END)::bigint AS amount_cents,
        sum(CASE 'review' WHEN to_account THEN amount_cents WHEN from_account THEN -amount_cents ELSE 0 END)::bigint AS review_cents,
        max(available_at) FILTER (WHERE from_account = 'program') AS payable_at
      FROM ledger_lines
      WHERE program_id = ${programId} AND id > ${after} AND xmin = pg_current_xact_id()::xid
      GROUP BY partner_id, currency) changed
    JOIN partners partner ON partner.program_id = ${programId} AND partner.id = changed.partner_id
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(CASE 'earned' WHEN to_account THEN amount_cents WHEN from_account THEN -amount_cents END), 0) AS cents
      FROM ledger_lines line
      WHERE line.program_id = ${programId} AND line.partner_id = changed.partner_id AND line.currency = changed.currency) balance
    WHERE changed.amount_cents <> 0
    ORDER BY changed.amount_cents, changed.partner_id`.execute(tx)
  return rows
}
