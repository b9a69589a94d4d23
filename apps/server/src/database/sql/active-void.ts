import { type RawBuilder, sql } from 'kysely'

/** SQL fragment: whether the adjustment with this alias was undone. */
export const isUndone = (adjustment: string) => sql<boolean>`EXISTS (
  SELECT FROM adjustment_reversals reversal
  WHERE reversal.program_id = ${sql.ref(`${adjustment}.program_id`)} AND reversal.adjustment_id = ${sql.ref(`${adjustment}.id`)})`

/**
 * SQL fragment: the active void of the commission with this alias, if any. A void of a sale that was merged into another
 * one applies to the same partner's commission there.
 */
export const selectActiveVoid = (commission: string, columns: RawBuilder<unknown>) => sql`(
  SELECT ${columns} FROM adjustments voided
  WHERE voided.program_id = ${sql.ref(`${commission}.program_id`)} AND voided.type = 'void' AND NOT ${isUndone('voided')}
    AND voided.commission_id IN (
      SELECT ${sql.ref(`${commission}.id`)} UNION ALL
      SELECT earlier.id FROM sales merged
      JOIN commissions earlier ON earlier.program_id = merged.program_id AND earlier.sale_id = merged.id
      WHERE merged.program_id = ${sql.ref(`${commission}.program_id`)} AND merged.merged_into = ${sql.ref(`${commission}.sale_id`)}
        AND earlier.partner_id = ${sql.ref(`${commission}.partner_id`)})
  ORDER BY voided.id DESC LIMIT 1)`

export const isVoided = (commission: string) => sql<boolean>`EXISTS ${selectActiveVoid(commission, sql`voided.id`)}`

/** The same for all commissions of a program: the void, and as `held_id` the commission that it applies to. Lists join it. */
export const selectActiveVoids = (programId: number) => sql`
  WITH active AS (
    SELECT voided.* FROM adjustments voided
    WHERE voided.program_id = ${programId} AND voided.type = 'void' AND NOT ${isUndone('voided')})
  SELECT DISTINCT ON (held_id) * FROM (
    SELECT active.commission_id AS held_id, active.* FROM active
    UNION ALL
    SELECT remaining.id, active.* FROM active
    CROSS JOIN LATERAL (SELECT * FROM commissions WHERE program_id = ${programId} AND id = active.commission_id LIMIT 1) earned
    CROSS JOIN LATERAL (SELECT * FROM sales WHERE program_id = ${programId} AND id = earned.sale_id LIMIT 1) merged
    CROSS JOIN LATERAL (
      SELECT * FROM commissions WHERE program_id = ${programId} AND sale_id = merged.merged_into LIMIT 1) remaining
    WHERE remaining.partner_id = earned.partner_id) held
  ORDER BY held_id, id DESC`
