import { type RawBuilder, sql } from 'kysely'
import { isUndone } from '../../database/sql/active-void.ts'

/** Sales that a member credited or moved, with the partner who has each now. */
const assignedSales = (programId: number) => sql`
  SELECT DISTINCT ON (sale.id) sale.*, assigned.partner_id AS holder_id, assigned.id AS adjustment_id
  FROM adjustments assigned
  JOIN sales named ON named.program_id = assigned.program_id AND named.id = assigned.sale_id
  JOIN sales sale ON sale.program_id = named.program_id AND sale.id = coalesce(named.merged_into, named.id)
  WHERE assigned.program_id = ${programId} AND assigned.type IN ('credit', 'move')
    AND NOT ${isUndone('assigned')} AND sale.voided_at IS NULL
  ORDER BY sale.id, assigned.id DESC`

/**
 * What members' decisions change in the counts of partners: at, day, partner_id, sales, currency, revenue_cents,
 * commission_cents. The counts have each sale with the partner whom its click credits, so a moved sale is taken from that partner and
 * given to its holder. Manual decisions are few, so readers add them to the counts and no roll-up stores them.
 */
export const manualFacts = (programId: number): RawBuilder<unknown> => sql`
  SELECT fact.* FROM (${assignedSales(programId)}) sale CROSS JOIN LATERAL (
    SELECT sale.sold_at AS at, sale.day, sale.holder_id AS partner_id, 1::bigint AS sales, sale.currency,
      sale.amount_cents AS revenue_cents, 0::bigint AS commission_cents
    UNION ALL
    SELECT sale.sold_at, sale.day, sale.partner_id, -1, sale.currency, -sale.amount_cents, 0 WHERE sale.credit_source IS NOT NULL
    UNION ALL
    SELECT sale.sold_at, sale.day, sale.holder_id, 0, earned.currency, 0, earned.amount_cents FROM commissions earned
    WHERE earned.program_id = sale.program_id AND earned.adjustment_id = sale.adjustment_id
    UNION ALL
    SELECT sale.sold_at, sale.day, sale.partner_id, 0, earned.currency, 0, -earned.amount_cents FROM commissions earned
    WHERE earned.program_id = sale.program_id AND earned.sale_id = sale.id AND sale.credit_source IS NOT NULL) fact
  UNION ALL
  SELECT payment.created_at, (payment.created_at AT TIME ZONE program.timezone)::date, payment.partner_id, 0, payment.currency, 0,
    payment.amount_cents
  FROM adjustments payment JOIN programs program ON program.id = payment.program_id
  WHERE payment.program_id = ${programId} AND payment.type IN ('bonus', 'commission') AND NOT ${isUndone('payment')}`
