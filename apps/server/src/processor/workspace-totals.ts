import { sql } from 'kysely'
import { selectRefundedCents } from '../database/sql/refunded.ts'
import type { Tx } from '../database/transaction.ts'

type Totals = { sales: number; salesCents: number; refunds: number; refundedCents: number }

/** Totals of all sales and refunds, compared before and after a replay. */
export const readWorkspaceTotals = async (tx: Tx, workspaceId: string): Promise<Totals> => {
  const { rows } = await sql<Totals>`
    WITH own AS (SELECT id FROM programs WHERE workspace_id = ${workspaceId}),
    live AS (SELECT * FROM sales WHERE program_id IN (SELECT id FROM own) AND voided_at IS NULL),
    touched AS (
      SELECT program_id, sale_id FROM processor_refunds WHERE program_id IN (SELECT id FROM own)
      UNION SELECT refund.program_id, coalesce(refunded_sale.merged_into, refunded_sale.id)
      FROM refunds refund JOIN sales refunded_sale ON refunded_sale.program_id = refund.program_id AND refunded_sale.id = refund.sale_id
      WHERE refund.program_id IN (SELECT id FROM own)),
    refunded AS (
      SELECT ${selectRefundedCents('sale')} AS cents
      FROM touched JOIN live sale ON sale.program_id = touched.program_id AND sale.id = touched.sale_id)
    SELECT
      (SELECT count(*) FROM live) AS sales,
      (SELECT coalesce(sum(amount_cents), 0)::bigint FROM live) AS sales_cents,
      (SELECT count(*) FROM refunded WHERE cents > 0) AS refunds,
      (SELECT coalesce(sum(cents), 0)::bigint FROM refunded) AS refunded_cents`.execute(tx)
  return rows[0] ?? { sales: 0, salesCents: 0, refunds: 0, refundedCents: 0 }
}
