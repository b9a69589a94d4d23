import { sql } from 'kysely'
import { isUndone, isVoided } from '../../database/sql/active-void.ts'
import { countryOfSale } from '../../database/sql/country-of-sale.ts'
import { disputedCents, selectRefundedCents } from '../../database/sql/refunded.ts'
import type { Tx } from '../../database/transaction.ts'
import {
  type ManualCredit,
  type ManualDecisions,
  type StandingFacts,
  UNTOUCHED,
} from '../commissions/commission-rules.ts'
import type { CreditedEvent } from '../commissions/evaluate.ts'

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

type Filter = { programId: number; from?: Date; before?: Date; saleId?: number }
type Row = Omit<CreditedEvent, 'kind' | 'manual'> & {
  commissionId: number
  isVoided: boolean
  credits: ManualCredit[]
}

/** Everything that decides what manually credited sales earn, one event per decision. */
export const readCreditedFacts = async (tx: Tx, { programId, from, before, saleId }: Filter) => {
  const { rows } = await sql<Row>`
    SELECT assigned.id, assigned.partner_id, sale.currency, sale.sold_at, sale.amount_cents AS sale_cents,
      coalesce(${selectRefundedCents('sale')}, 0) AS refunded_cents, disputed.open_cents, disputed.lost_cents,
      sale.voided_at IS NOT NULL AS is_merged, sale.items, ${countryOfSale('sale')} AS country, commission.id AS commission_id,
      CASE WHEN review.commission_id IS NULL THEN 'none' ELSE coalesce(review.decision, 'open') END AS review,
      ${isVoided('commission')} AS is_voided, ${selectManualCredits('sale')} AS credits
    FROM adjustments assigned
    JOIN sales named ON named.program_id = assigned.program_id AND named.id = assigned.sale_id
    JOIN sales sale ON sale.program_id = named.program_id AND sale.id = coalesce(named.merged_into, named.id)
    LEFT JOIN commissions commission ON commission.program_id = assigned.program_id AND commission.adjustment_id = assigned.id
    LEFT JOIN commission_reviews review ON review.program_id = commission.program_id AND review.commission_id = commission.id
    CROSS JOIN LATERAL (
      SELECT coalesce(${disputedCents('open')}, 0) AS open_cents, coalesce(${disputedCents('lost')}, 0) AS lost_cents
      FROM disputes dispute WHERE dispute.program_id = sale.program_id AND dispute.sale_id = sale.id) disputed
    WHERE assigned.program_id = ${programId} AND assigned.type IN ('credit', 'move')
      ${
        saleId === undefined
          ? sql``
          : sql`AND assigned.sale_id IN (
            SELECT ${saleId}::bigint UNION ALL
            SELECT merged.id FROM sales merged WHERE merged.program_id = ${programId} AND merged.merged_into = ${saleId})`
      }
      ${from ? sql`AND sale.sold_at >= ${from}` : sql``} ${before ? sql`AND sale.sold_at < ${before}` : sql``}
    ORDER BY assigned.id`.execute(tx)
  return rows.map(
    ({ isVoided, credits, ...row }): CreditedEvent & { review: StandingFacts['review']; commissionId: number } => ({
      ...row,
      kind: 'credited',
      manual: { ...UNTOUCHED, isVoided, creditId: row.id, credits },
    }),
  )
}
