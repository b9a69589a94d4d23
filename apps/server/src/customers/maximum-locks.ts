import { sql } from 'kysely'
import { referencesOfPayment } from '../database/sql/lookups.ts'
import type { Tx } from '../database/transaction.ts'
import { lockCustomersByClick } from './customers.ts'

type Reversed = { programId: number } & ({ invoiceId: string } | { commissionId: number } | { saleId: number })

/** A sale that was merged into another stands for that one too. */
const isSaleOf = (reversed: Reversed) => {
  const { programId } = reversed
  if ('invoiceId' in reversed) return sql`sale.invoice_id IN ${referencesOfPayment(reversed)}`
  const saleId =
    'saleId' in reversed
      ? sql`${reversed.saleId}::bigint`
      : sql`(SELECT sale_id FROM commissions WHERE program_id = ${programId} AND id = ${reversed.commissionId})`
  return sql`sale.id IN (${saleId}, (SELECT merged_into FROM sales WHERE program_id = ${programId} AND id = ${saleId}))`
}

/**
 * Locks the customer whose sale is about to lose or regain a commission, if a maximum per customer depends on it: a sale at the same
 * moment then sees the reversal, or precedes it. Call this before locking the sale, and read the clock afterwards.
 */
export const lockCustomerOfMaximum = async (tx: Tx, reversed: Reversed) => {
  const { programId } = reversed
  const { rows } = await sql<{ programId: number; clickId: string }>`
    SELECT DISTINCT sale.program_id, sale.click_id FROM sales sale
    WHERE sale.program_id = ${programId} AND sale.click_id IS NOT NULL AND ${isSaleOf(reversed)}
      AND EXISTS (SELECT FROM reward_terms terms WHERE terms.program_id = ${programId} AND terms.looks_at = 'all_sales')`.execute(
    tx,
  )
  if (rows.length > 0) await lockCustomersByClick(tx, rows)
}
