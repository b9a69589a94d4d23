import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { isVoided } from '../database/sql/active-void.ts'
import type { Tx } from '../database/transaction.ts'

type Key = { programId: number; customerKey: string }

/** Recognizes an erased customer who is reported again, without storing the key. */
export const erasedKeyHash = (hashKey: string, { programId, customerKey }: Key) =>
  createHmac('sha256', hashKey).update(`erased customer ${programId} ${customerKey}`).digest()

/** Whether the commission `earned` counts: it was not rejected or voided, or a payout already included it. */
const COUNTS = sql`(NOT EXISTS (
    SELECT FROM commission_reviews rejected
    WHERE rejected.program_id = earned.program_id AND rejected.commission_id = earned.id AND rejected.decision = 'rejected')
  AND NOT ${isVoided('earned')}
  OR EXISTS (
    SELECT FROM payout_commissions listed
    JOIN payout_lines line ON line.program_id = listed.program_id AND line.id = listed.payout_line_id
    WHERE listed.program_id = earned.program_id AND listed.commission_id = earned.id AND line.status <> 'failed'))`

type ErasedCustomer = Key & { clickId: string }

/**
 * Records what the customer already earned for a partner (the lead commission and the time of the first sale), so that they
 * cannot earn it again under the same key. Commissions rejected or voided before payout do not count. Unpaid leads and sales are
 * recorded too if the program's first reward terms can still be backfilled. Customers with none of these are not recorded.
 */
export const storeErasedCustomer = (tx: Tx, hashKey: string, { programId, customerKey, clickId }: ErasedCustomer) =>
  sql`
    INSERT INTO erased_customers (program_id, key_hash, lead_rewarded, first_sold_at, lead_unpaid, unpaid_sold_at)
    SELECT ${programId}, ${erasedKeyHash(hashKey, { programId, customerKey })}, lead_rewarded, first_sold_at, lead_unpaid, unpaid_sold_at
    FROM (
      SELECT lead.rewarded_before OR lead_stands AS lead_rewarded,
        lead.unpaid_before OR (may_earn_late AND NOT lead_earned) AS lead_unpaid,
        least(lead.first_sold_before, earned_at) AS first_sold_at,
        least(lead.unpaid_sold_before, CASE WHEN may_earn_late THEN unearned_at END) AS unpaid_sold_at
      FROM leads lead
      CROSS JOIN LATERAL (
        SELECT count(*) > 0 AS lead_earned, count(*) FILTER (WHERE ${COUNTS}) > 0 AS lead_stands FROM commissions earned
        WHERE earned.program_id = lead.program_id AND earned.lead_id = lead.id) own
      CROSS JOIN LATERAL (
        SELECT min(sale.sold_at) FILTER (WHERE earned.amount_cents > 0 AND ${COUNTS}) AS earned_at,
          min(sale.sold_at) FILTER (WHERE earned.id IS NULL) AS unearned_at
        FROM sales sale
        LEFT JOIN commissions earned ON earned.program_id = sale.program_id AND earned.sale_id = sale.id
        WHERE sale.program_id = lead.program_id AND sale.click_id = lead.click_id AND sale.voided_at IS NULL) sold
      CROSS JOIN (
        SELECT NOT EXISTS (SELECT FROM reward_terms WHERE reward_terms.program_id = ${programId}
            AND reward_terms.partner_id IS NULL AND reward_terms.group_id IS NULL)
          OR EXISTS (SELECT FROM reward_backfills
            WHERE reward_backfills.program_id = ${programId} AND reward_backfills.finished_at IS NULL) AS may_earn_late) program
      WHERE lead.program_id = ${programId} AND lead.click_id = ${clickId} AND lead.state = 'settled') used
    WHERE lead_rewarded OR lead_unpaid OR num_nonnulls(first_sold_at, unpaid_sold_at) > 0
    ON CONFLICT (program_id, key_hash) DO UPDATE SET
      lead_rewarded = erased_customers.lead_rewarded OR excluded.lead_rewarded,
      lead_unpaid = erased_customers.lead_unpaid OR excluded.lead_unpaid,
      first_sold_at = least(erased_customers.first_sold_at, excluded.first_sold_at),
      unpaid_sold_at = least(erased_customers.unpaid_sold_at, excluded.unpaid_sold_at)`.execute(tx)
