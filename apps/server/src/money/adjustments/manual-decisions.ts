import { sql } from 'kysely'
import { isUndone } from '../../database/sql/active-void.ts'
import type { ManualDecisions } from './decide-set-aside.ts'

/** SQL fragment: the sale with this alias, and the sales merged into it. */
const saleGroup = (sale: string) => sql`
  SELECT ${sql.ref(`${sale}.id`)} UNION ALL
  SELECT merged.id FROM sales merged
  WHERE merged.program_id = ${sql.ref(`${sale}.program_id`)} AND merged.merged_into = ${sql.ref(`${sale}.id`)}`

/** SQL fragment: the decisions about which partner gets the sale with this alias, including those about sales merged into it. */
export const selectManualCredits = (sale: string) => sql<ManualDecisions['credits']>`(
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', assigned.id, 'isUndone', ${isUndone('assigned')})), '[]')
  FROM adjustments assigned
  WHERE assigned.program_id = ${sql.ref(`${sale}.program_id`)} AND assigned.type IN ('credit', 'move')
    AND assigned.sale_id IN (${saleGroup(sale)}))`

/** SQL fragment: the sale that the commission with this alias pays for. A sale merged into another is that one. */
export const saleOfCommission = (commission: string) => sql<
  number | null
>`coalesce(${sql.ref(`${commission}.sale_id`)}, (
  SELECT coalesce(named.merged_into, named.id) FROM adjustments assigned
  JOIN sales named ON named.program_id = assigned.program_id AND named.id = assigned.sale_id
  WHERE assigned.program_id = ${sql.ref(`${commission}.program_id`)} AND assigned.id = ${sql.ref(`${commission}.adjustment_id`)}
    AND assigned.type IN ('credit', 'move')))`
