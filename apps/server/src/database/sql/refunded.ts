import { sql } from 'kysely'

/**
 * SQL fragment: the refunded amount of the sale with this alias, capped at the sale amount. Refunds from the API and the processor add
 * up; one with the same refund id counts once. Includes refunds of sales merged into this one.
 */
export const selectRefundedCents = (sale: 'sale') => sql<number>`(
  SELECT CASE WHEN bool_or(reported.is_all) THEN ${sql.ref(`${sale}.amount_cents`)}
    ELSE least(${sql.ref(`${sale}.amount_cents`)}, coalesce(sum(reported.cents), 0)::bigint) END
  FROM (
    SELECT processor.refunded_cents AS cents, false AS is_all FROM processor_refunds processor
    WHERE processor.program_id = ${sql.ref(`${sale}.program_id`)} AND processor.sale_id = ${sql.ref(`${sale}.id`)}
    UNION ALL
    SELECT refund.amount_cents, refund.is_all FROM refunds refund
    WHERE refund.program_id = ${sql.ref(`${sale}.program_id`)}
      AND refund.sale_id IN (
        SELECT ${sql.ref(`${sale}.id`)} UNION ALL
        SELECT merged.id FROM sales merged
        WHERE merged.program_id = ${sql.ref(`${sale}.program_id`)} AND merged.merged_into = ${sql.ref(`${sale}.id`)})
      AND NOT EXISTS (
        SELECT FROM processor_refunds processor
        WHERE processor.program_id = refund.program_id AND processor.sale_id = ${sql.ref(`${sale}.id`)}
          AND refund.refund_id = ANY (processor.refund_ids))) reported)`

/** SQL fragment over the aliases `sale` and `dispute`, capped at the sale amount. */
export const disputedCents = (status: 'open' | 'lost') => sql<number>`least(sale.amount_cents,
  coalesce(sum(coalesce(dispute.disputed_cents, sale.amount_cents)) FILTER (WHERE dispute.status = ${status}), 0))::bigint`

/** SQL fragment: what the sale with the alias `sale` lost to refunds and disputes, capped at its amount. */
export const selectLostCents = sql<number>`least(sale.amount_cents, coalesce(${selectRefundedCents('sale')}, 0) + (
  SELECT coalesce(${disputedCents('lost')}, 0) FROM disputes dispute
  WHERE dispute.program_id = sale.program_id AND dispute.sale_id = sale.id))`
