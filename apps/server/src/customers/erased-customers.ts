import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'

type Key = { programId: number; customerKey: string }

/** By this an erased customer is recognised when they are reported again, and by nothing else. */
export const erasedKeyHash = (hashKey: string, { programId, customerKey }: Key) =>
  createHmac('sha256', hashKey).update(`erased customer ${programId} ${customerKey}`).digest()

type Erasing = Key & { clickId: string }

/**
 * Keeps what the customer has earned for a partner already, so that the same customer cannot earn it twice: the commission for
 * the lead, and when the first sale was made. Nothing is kept of a customer who earned neither.
 */
export const keepErasedCustomer = (tx: Tx, hashKey: string, { programId, customerKey, clickId }: Erasing) =>
  sql`
    INSERT INTO erased_customers (program_id, key_hash, lead_rewarded, first_sold_at)
    SELECT ${programId}, ${erasedKeyHash(hashKey, { programId, customerKey })}, lead_rewarded, first_sold_at FROM (
      SELECT lead.rewarded_before OR EXISTS (
          SELECT FROM commissions earned WHERE earned.program_id = lead.program_id AND earned.lead_id = lead.id) AS lead_rewarded,
        least(lead.first_sold_before, (
          SELECT min(sale.sold_at) FROM sales sale
          JOIN commissions earned ON earned.program_id = sale.program_id AND earned.sale_id = sale.id
          WHERE sale.program_id = lead.program_id AND sale.click_id = lead.click_id AND sale.voided_at IS NULL
            AND earned.amount_cents > 0)) AS first_sold_at
      FROM leads lead WHERE lead.program_id = ${programId} AND lead.click_id = ${clickId} AND lead.state = 'settled') used
    WHERE lead_rewarded OR first_sold_at IS NOT NULL
    ON CONFLICT (program_id, key_hash) DO UPDATE SET
      lead_rewarded = erased_customers.lead_rewarded OR excluded.lead_rewarded,
      first_sold_at = least(erased_customers.first_sold_at, excluded.first_sold_at)`.execute(tx)
