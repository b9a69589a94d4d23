import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'

type Money = { sales: number; salesCents: number; refunds: number; refundedCents: number }

/** Counted before and after a replay, to see at a glance what it came to. */
export const moneyOf = async (tx: Tx, workspaceId: string): Promise<Money> => {
  const { rows } = await sql<Money>`
    WITH own AS (SELECT id FROM programs WHERE workspace_id = ${workspaceId})
    SELECT
      (SELECT count(*) FROM sales WHERE program_id IN (SELECT id FROM own) AND voided_at IS NULL) AS sales,
      (SELECT coalesce(sum(amount_cents), 0)::bigint FROM sales
        WHERE program_id IN (SELECT id FROM own) AND voided_at IS NULL) AS sales_cents,
      (SELECT count(*) FROM processor_refunds WHERE program_id IN (SELECT id FROM own) AND refunded_cents > 0) AS refunds,
      (SELECT coalesce(sum(refunded_cents), 0)::bigint FROM processor_refunds
        WHERE program_id IN (SELECT id FROM own)) AS refunded_cents`.execute(tx)
  return rows[0] ?? { sales: 0, salesCents: 0, refunds: 0, refundedCents: 0 }
}
