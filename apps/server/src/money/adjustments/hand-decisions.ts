import { type RawBuilder, sql } from 'kysely'
import type { HandDecisions } from './decide-set-aside.ts'

/** SQL fragment: whether the adjustment with this alias was undone. */
export const isReversed = (adjustment: string) => sql<boolean>`EXISTS (
  SELECT FROM adjustment_reversals reversal
  WHERE reversal.program_id = ${sql.ref(`${adjustment}.program_id`)} AND reversal.adjustment_id = ${sql.ref(`${adjustment}.id`)})`

/** SQL fragment: the sale with this alias, and the sales merged into it. */
const saleGroup = (sale: string) => sql`
  SELECT ${sql.ref(`${sale}.id`)} UNION ALL
  SELECT merged.id FROM sales merged
  WHERE merged.program_id = ${sql.ref(`${sale}.program_id`)} AND merged.merged_into = ${sql.ref(`${sale}.id`)}`

/** SQL fragment: the decisions about whose the sale with this alias is, including those about sales merged into it. */
export const selectHandCredits = (sale: string) => sql<HandDecisions['credits']>`(
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', assigned.id, 'isReversed', ${isReversed('assigned')})), '[]')
  FROM adjustments assigned
  WHERE assigned.program_id = ${sql.ref(`${sale}.program_id`)} AND assigned.type IN ('credit', 'move')
    AND assigned.sale_id IN (${saleGroup(sale)}))`

/**
 * SQL fragment: the void that stands for the commission with this alias, if any. A void of a sale that was merged into another
 * one holds for the same partner's commission there.
 */
export const selectStandingVoid = (commission: string, columns: RawBuilder<unknown>) => sql`(
  SELECT ${columns} FROM adjustments voided
  WHERE voided.program_id = ${sql.ref(`${commission}.program_id`)} AND voided.type = 'void' AND NOT ${isReversed('voided')}
    AND voided.commission_id IN (
      SELECT ${sql.ref(`${commission}.id`)} UNION ALL
      SELECT earlier.id FROM sales merged
      JOIN commissions earlier ON earlier.program_id = merged.program_id AND earlier.sale_id = merged.id
      WHERE merged.program_id = ${sql.ref(`${commission}.program_id`)} AND merged.merged_into = ${sql.ref(`${commission}.sale_id`)}
        AND earlier.partner_id = ${sql.ref(`${commission}.partner_id`)})
  ORDER BY voided.id DESC LIMIT 1)`

export const isVoided = (commission: string) => sql<boolean>`EXISTS ${selectStandingVoid(commission, sql`voided.id`)}`

/** SQL fragment: the sale that the commission with this alias pays for. A sale merged into another is that one. */
export const saleOfCommission = (commission: string) => sql<
  number | null
>`coalesce(${sql.ref(`${commission}.sale_id`)}, (
  SELECT coalesce(named.merged_into, named.id) FROM adjustments assigned
  JOIN sales named ON named.program_id = assigned.program_id AND named.id = assigned.sale_id
  WHERE assigned.program_id = ${sql.ref(`${commission}.program_id`)} AND assigned.id = ${sql.ref(`${commission}.adjustment_id`)}
    AND assigned.type IN ('credit', 'move')))`
