import { type RawBuilder, sql } from 'kysely'

/** SQL fragment: refunds reported for the sale with the alias `sale`, with those of sales merged into it: cents, is_all, by_processor. */
const reportedRefunds = sql`(
    SELECT processor.refunded_cents AS cents, false AS is_all, true AS by_processor FROM processor_refunds processor
    WHERE processor.program_id = sale.program_id AND processor.sale_id = sale.id
    UNION ALL
    SELECT refund.amount_cents, refund.is_all, false FROM refunds refund
    WHERE refund.program_id = sale.program_id
      AND refund.sale_id IN (
        SELECT sale.id UNION ALL
        SELECT merged.id FROM sales merged WHERE merged.program_id = sale.program_id AND merged.merged_into = sale.id)
      AND NOT EXISTS (
        SELECT FROM processor_refunds processor
        WHERE processor.program_id = refund.program_id AND processor.sale_id = sale.id
          AND refund.refund_id = ANY (processor.refund_ids))) reported`

/**
 * SQL fragment: the share of the sale with the alias `sale` in a refund of the merchant, which includes tax if the merchant stated a tax.
 * Rounded half up, like `prorate` in TypeScript.
 */
const netOf = (refunded: RawBuilder<unknown>) => sql`CASE WHEN sale.gross_cents IS NULL THEN ${refunded}
    ELSE div(2 * sale.amount_cents::numeric * least(${refunded}, sale.gross_cents) + sale.gross_cents, 2 * sale.gross_cents) END`

/**
 * SQL fragment: the refunded amount of the sale with the alias `sale`, without tax and capped at the sale amount. Refunds from the API
 * and the processor add up; one with the same refund id counts once. Calculated from the total, so that parts add up to the whole.
 */
export const selectRefundedCents = (_sale: 'sale') => sql<number>`(
  SELECT CASE WHEN bool_or(reported.is_all) THEN sale.amount_cents
    ELSE least(sale.amount_cents, coalesce(sum(reported.cents) FILTER (WHERE by_processor), 0)
      + ${netOf(sql`coalesce(sum(reported.cents) FILTER (WHERE NOT by_processor), 0)`)})::bigint END
  FROM ${reportedRefunds})`

/** SQL fragment: the same with tax, as the merchant counts it. */
export const selectRefundedGrossCents = sql<number>`(
  SELECT CASE WHEN bool_or(reported.is_all) THEN coalesce(sale.gross_cents, sale.amount_cents)
    ELSE least(coalesce(sale.gross_cents, sale.amount_cents), coalesce(sum(reported.cents) FILTER (WHERE NOT by_processor), 0)
      + coalesce(CASE WHEN sale.gross_cents IS NULL OR sale.amount_cents = 0 THEN sum(reported.cents) FILTER (WHERE by_processor)
        ELSE div(2 * sale.gross_cents::numeric * (sum(reported.cents) FILTER (WHERE by_processor)) + sale.amount_cents,
          2 * sale.amount_cents) END, 0))::bigint END
  FROM ${reportedRefunds})`

const SO_FAR = sql`(sum(refund.amount_cents) OVER (PARTITION BY sale.id ORDER BY refund.id))`

/** SQL fragment over the aliases `refund` and `sale`, for all refunds of the sale: what each took from the sale, without tax. */
export const netRefund = sql<number>`(${netOf(SO_FAR)} - ${netOf(sql`(${SO_FAR} - refund.amount_cents)`)})::bigint`

/** SQL fragment over the aliases `sale` and `dispute`, capped at the sale amount. */
export const disputedCents = (status: 'open' | 'lost') => sql<number>`least(sale.amount_cents,
  coalesce(sum(coalesce(dispute.disputed_cents, sale.amount_cents)) FILTER (WHERE dispute.status = ${status}), 0))::bigint`

/** SQL fragment: what the sale with the alias `sale` lost to refunds and disputes, capped at its amount. */
export const selectLostCents = sql<number>`least(sale.amount_cents, coalesce(${selectRefundedCents('sale')}, 0) + (
  SELECT coalesce(${disputedCents('lost')}, 0) FROM disputes dispute
  WHERE dispute.program_id = sale.program_id AND dispute.sale_id = sale.id))`
