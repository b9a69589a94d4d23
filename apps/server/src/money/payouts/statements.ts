import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'

export type StatementItem = { commissionId: number; cents: number; earnedAt: string }
export type StatedLine = { lineId: number; items: StatementItem[] }

type AccountAt = { programId: number; partnerId: number; currency: string; at: Date }

/**
 * SQL fragment: how much each commission contributes to the payable balance of an account. That is what it earned so far, less what
 * earlier statements contain. A failed line returned everything except what was reversed while it was reserved. Every ledger line of
 * `earned` belongs to a commission or to a payout line, so the items add up to the balance.
 */
export const selectStatementItems = ({ programId, partnerId, currency, at }: AccountAt) => sql`
  SELECT coalesce(jsonb_agg(jsonb_build_object('commissionId', item.commission_id, 'cents', item.cents, 'earnedAt', commission.earned_at)
    ORDER BY item.commission_id), '[]')
  FROM (
    SELECT commission_id, coalesce(earned.cents, 0) - coalesce(stated.cents, 0) AS cents FROM (
      SELECT commission_id, sum(CASE 'earned' WHEN to_account THEN amount_cents ELSE -amount_cents END) AS cents FROM ledger_lines
      WHERE program_id = ${programId} AND partner_id = ${partnerId} AND currency = ${currency} AND available_at <= ${at}
        AND 'earned' IN (from_account, to_account) AND commission_id IS NOT NULL
      GROUP BY 1) earned
    FULL JOIN (
      SELECT commission_id, sum(cents) AS cents FROM (
        SELECT stated.commission_id, stated.amount_cents AS cents FROM payout_lines line
        JOIN payout_statement_items stated ON stated.program_id = line.program_id AND stated.payout_line_id = line.id
        WHERE line.program_id = ${programId} AND line.partner_id = ${partnerId} AND line.currency = ${currency} AND line.status <> 'failed'
        UNION ALL
        SELECT reversed.commission_id, reversed.amount_cents FROM payout_lines line
        JOIN ledger_lines reversed ON reversed.program_id = line.program_id AND reversed.payout_line_id = line.id
          AND reversed.from_account = 'batched' AND reversed.commission_id IS NOT NULL
        WHERE line.program_id = ${programId} AND line.partner_id = ${partnerId} AND line.currency = ${currency} AND line.status = 'failed'
      ) line GROUP BY 1) stated USING (commission_id)) item
  JOIN commissions commission ON commission.program_id = ${programId} AND commission.id = item.commission_id
  WHERE item.cents <> 0`

/** Numbers the statements of a new payout and copies the legal details. The number is locked last, so waiting for it holds up no one. */
export const createStatements = async (tx: Tx, { programId, lines }: { programId: number; lines: StatedLine[] }) => {
  const items = lines.flatMap(({ lineId, items }) => items.map((item) => ({ lineId, ...item })))
  await sql`
    INSERT INTO payout_statement_items (program_id, payout_line_id, commission_id, amount_cents, earned_at)
    SELECT ${programId}, item.* FROM unnest(${items.map(({ lineId }) => lineId)}::bigint[],
      ${items.map(({ commissionId }) => commissionId)}::bigint[], ${items.map(({ cents }) => cents)}::bigint[],
      ${items.map(({ earnedAt }) => earnedAt)}::timestamptz[]) item`.execute(tx)
  const { rows } = await sql<{ lastNumber: number }>`
    INSERT INTO payout_statement_numbers (program_id, last_number) VALUES (${programId}, ${lines.length})
    ON CONFLICT (program_id) DO UPDATE SET last_number = payout_statement_numbers.last_number + EXCLUDED.last_number
    RETURNING last_number`.execute(tx)
  const before = (rows[0]?.lastNumber ?? lines.length) - lines.length
  await sql`
    INSERT INTO payout_statements (program_id, number, payout_line_id, merchant, partner, self_billing)
    SELECT ${programId}, ${before} + wanted.place, line.id,
      CASE WHEN merchant.program_id IS NOT NULL THEN jsonb_build_object('legalName', merchant.legal_name, 'address', merchant.address,
        'taxId', merchant.tax_id, 'email', merchant.email) END,
      CASE WHEN partner.program_id IS NOT NULL THEN jsonb_build_object('name', partner.name, 'company', partner.company,
        'address', partner.address, 'taxId', partner.tax_id) END,
      coalesce(merchant.self_billing, false)
    FROM unnest(${lines.map(({ lineId }) => lineId)}::bigint[]) WITH ORDINALITY wanted(line_id, place)
    JOIN payout_lines line ON line.program_id = ${programId} AND line.id = wanted.line_id
    LEFT JOIN program_legal_details merchant ON merchant.program_id = ${programId}
    LEFT JOIN partner_legal_details partner ON partner.program_id = ${programId} AND partner.partner_id = line.partner_id`.execute(
    tx,
  )
}
