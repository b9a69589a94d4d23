import { openPool } from '../../src/database/connect.ts'

/** Everything visible about money, sales, leads and events, except what depends on the time and order of delivery. */
const DUMP = `
  SELECT 'sale' AS what, jsonb_build_object('name', invoice_id, 'customer', customer_key, 'cents', amount_cents,
      'currency', currency, 'subscription', subscription_id, 'sold', sold_at, 'click', click_id, 'partner', partner_id,
      'reason', reason) AS row FROM sales WHERE voided_at IS NULL
  UNION ALL SELECT 'lead', jsonb_build_object('click', click_id, 'state', state, 'by', settled_by, 'partner', partner_id) FROM leads
  UNION ALL SELECT 'commission', jsonb_build_object('sale', invoice_id, 'cents', commissions.amount_cents,
      'currency', commissions.currency, 'partner', commissions.partner_id, 'payable', payable_at)
    FROM commissions JOIN sales ON sales.program_id = commissions.program_id AND sales.id = commissions.sale_id
    WHERE voided_at IS NULL
  UNION ALL SELECT 'balance', jsonb_build_object('partner', partner_id, 'currency', currency, 'account', account, 'cents', sum(cents))
    FROM (SELECT partner_id, currency, to_account AS account, amount_cents AS cents FROM ledger_lines
      UNION ALL SELECT partner_id, currency, from_account, -amount_cents FROM ledger_lines) moved
    GROUP BY partner_id, currency, account HAVING sum(cents) <> 0
  UNION ALL SELECT 'refund', jsonb_build_object('sale', invoice_id, 'cents', refunded_cents, 'ids', refund_ids)
    FROM processor_refunds JOIN sales ON sales.program_id = processor_refunds.program_id AND sales.id = sale_id
    WHERE voided_at IS NULL AND refunded_cents > 0
  UNION ALL SELECT 'dispute', jsonb_build_object('sale', invoice_id, 'id', dispute_id, 'status', status)
    FROM disputes JOIN sales ON sales.program_id = disputes.program_id AND sales.id = sale_id WHERE voided_at IS NULL
  UNION ALL SELECT 'count', jsonb_build_object('day', day, 'link', link_id, 'leads', sum(leads), 'sales', sum(sales))
    FROM (
      SELECT program_id, day, link_id, leads, sales FROM daily_conversions WHERE (program_id, day) NOT IN (SELECT program_id, day FROM changed_days)
      UNION ALL SELECT program_id, day, link_id, 1, 0 FROM leads
      WHERE state = 'settled' AND (program_id, day) IN (SELECT program_id, day FROM changed_days)
      UNION ALL SELECT program_id, day, link_id, 0, 1 FROM sales
      WHERE click_id IS NOT NULL AND voided_at IS NULL AND (program_id, day) IN (SELECT program_id, day FROM changed_days)) counted
    GROUP BY day, link_id
  UNION ALL SELECT 'event', jsonb_build_object('id', event_id, 'fate', coalesce(payment_reports.fate, processor_events.fate),
      'reason', coalesce(payment_reports.reason, processor_events.reason))
    FROM processor_events LEFT JOIN payment_reports
      ON payment_reports.program_id = processor_events.program_id AND payment_reports.id = report_id
  ORDER BY 1, 2`

export const canonicalDump = async (databaseUrl: string) => {
  const pool = openPool(databaseUrl, { max: 1, noTimeouts: true })
  const { rows } = await pool.query<{ what: string; row: object }>(DUMP)
  await pool.end()
  return rows.map(({ what, row }) => `${what} ${JSON.stringify(row)}`).join('\n')
}
