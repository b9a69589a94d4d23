import type { Nameless, TimelineEntry } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { netRefund } from '../database/sql/refunded.ts'

const MAX_CLICKS = 100
const MAX_SALES = 500

type Entry = Nameless<TimelineEntry>
type Row = Omit<Entry, 'at'> & { at: Date }

/** Lists a customer's events, oldest first, including uncredited sales. Null if the record does not exist. */
export const findTimeline = async (
  db: Database,
  { programId, clickId }: { programId: number; clickId: string },
  /** SQL for the reversed amount of `earned`, supplied by the module that owns the ledger. */
  { reversed }: { reversed: RawBuilder<number> },
): Promise<Entry[] | null> => {
  const customer = await db
    .selectFrom('customers')
    .select('customerKey')
    .where('programId', '=', programId)
    .where('clickId', '=', clickId)
    .executeTakeFirst()
  if (!customer) return null
  const { rows } = await sql<Row>`
    WITH sale AS MATERIALIZED (
      SELECT * FROM sales WHERE program_id = ${programId} AND voided_at IS NULL AND id IN (
        SELECT id FROM sales WHERE program_id = ${programId} AND click_id = ${clickId}
        UNION ALL SELECT id FROM sales WHERE program_id = ${programId} AND customer_key = ${customer.customerKey})
      ORDER BY sold_at DESC LIMIT ${sql.lit(MAX_SALES)}
    ), lead AS MATERIALIZED (SELECT * FROM leads WHERE program_id = ${programId} AND click_id = ${clickId})
    SELECT * FROM (
      (SELECT clicked_at AS at, 'click' AS event, id::text AS id, link_id, partner_id,
        jsonb_strip_nulls(jsonb_build_object('pageUrl', page_url, 'referrerUrl', referrer_url, 'country', country, 'device', device)) AS details
      FROM click_events WHERE program_id = ${programId} AND click_id = ${clickId} ORDER BY clicked_at DESC LIMIT ${sql.lit(MAX_CLICKS)})
      UNION ALL
      SELECT created_at, 'lead', id::text, link_id, partner_id, jsonb_strip_nulls(jsonb_build_object('state', state, 'settledBy', settled_by, 'confirmedBy', confirmed_by)) FROM lead
      UNION ALL
      SELECT sold_at, 'sale', id::text, link_id, partner_id, jsonb_strip_nulls(jsonb_build_object('invoiceId', invoice_id,
        'amountCents', amount_cents, 'currency', currency, 'attributed', credit_source IS NOT NULL, 'creditedBy', credit_source, 'promotionCode', promotion_code, 'reason', reason)) FROM sale
      UNION ALL
      SELECT earned_at, 'commission', id::text, NULL, partner_id, jsonb_strip_nulls(jsonb_build_object('kind', kind, 'amountCents', amount_cents,
        'reversedCents', nullif(${reversed}, 0), 'currency', currency, 'saleId', sale_id, 'leadId', lead_id)) FROM commissions earned
      WHERE program_id = ${programId} AND (sale_id IN (SELECT id FROM sale) OR lead_id IN (SELECT id FROM lead))
      UNION ALL
      SELECT refunded_at, 'refund', refund.id::text, sale.link_id, sale.partner_id, jsonb_strip_nulls(jsonb_build_object('invoiceId', invoice_id,
        'amountCents', ${netRefund}, 'currency', currency, 'reason', refund.reason))
      FROM refunds refund JOIN sale ON sale.id = refund.sale_id WHERE refund.program_id = ${programId}
      UNION ALL
      SELECT opened_at, 'dispute', dispute_id, sale.link_id, sale.partner_id, jsonb_build_object('invoiceId', invoice_id, 'status', status)
      FROM disputes dispute JOIN sale ON sale.id = dispute.sale_id WHERE dispute.program_id = ${programId}) entry
    ORDER BY at, array_position(ARRAY['click', 'lead', 'sale', 'commission', 'refund', 'dispute'], event), id`.execute(
    db,
  )
  return rows.map(({ at, ...entry }) => ({ at: at.toISOString(), ...entry }))
}
