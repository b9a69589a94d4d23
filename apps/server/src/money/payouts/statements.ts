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
    SELECT ${programId}, ${before} + wanted.place, line.id, details.*
    FROM unnest(${lines.map(({ lineId }) => lineId)}::bigint[]) WITH ORDINALITY wanted(line_id, place)
    JOIN payout_lines line ON line.program_id = ${programId} AND line.id = wanted.line_id
    CROSS JOIN LATERAL (${selectDetails('line')}) details`.execute(tx)
}

/** SQL fragment: the legal details of both sides as they are now, for a payout line. */
export const selectDetails = (line: string) => {
  const [programId, partnerId] = [sql.ref(`${line}.program_id`), sql.ref(`${line}.partner_id`)]
  return sql`
    SELECT (SELECT jsonb_build_object('legalName', legal_name, 'address', address, 'taxId', tax_id, 'email', email)
        FROM program_legal_details WHERE program_id = ${programId}) AS merchant,
      (SELECT jsonb_build_object('name', name, 'company', company, 'address', address, 'taxId', tax_id)
        FROM partner_legal_details WHERE program_id = ${programId} AND partner_id = ${partnerId}) AS partner,
      coalesce((SELECT self_billing FROM program_legal_details WHERE program_id = ${programId}), false) AS self_billing`
}

type Reissue = { programId: number; lineId: number; at: Date }
type Issued = { number: number; before: Record<string, unknown>; after: Record<string, unknown> }

/**
 * Adds a version of the statement with the legal details of now. Null if they have not changed, or if there is no statement. The
 * caller holds the program's lock.
 */
export const reissueStatement = async (tx: Tx, { programId, lineId, at }: Reissue) => {
  const { rows } = await sql<Issued>`
    WITH changed AS (
      SELECT latest.*, details.merchant AS new_merchant, details.partner AS new_partner, details.self_billing AS new_self_billing
      FROM payout_lines line
      JOIN LATERAL (${selectVersions('line')} ORDER BY version DESC LIMIT 1) latest ON true
      CROSS JOIN LATERAL (${selectDetails('line')}) details
      WHERE line.program_id = ${programId} AND line.id = ${lineId} AND (latest.merchant, latest.partner, latest.self_billing)
        IS DISTINCT FROM (details.merchant, details.partner, details.self_billing)
    ), issued AS (
      INSERT INTO payout_statement_versions (program_id, number, version, issued_at, merchant, partner, self_billing)
      SELECT program_id, number, version + 1, ${at}, new_merchant, new_partner, new_self_billing FROM changed)
    SELECT number,
      jsonb_build_object('version', version, 'merchant', merchant, 'partner', partner, 'selfBilling', self_billing) AS before,
      jsonb_build_object('version', version + 1, 'merchant', new_merchant, 'partner', new_partner, 'selfBilling', new_self_billing) AS after
    FROM changed`.execute(tx)
  return rows[0] ?? null
}

/** SQL fragment: all versions of a payout line's statement. */
export const selectVersions = (line: string) => {
  const [programId, id, payoutId] = ['program_id', 'id', 'payout_id'].map((column) => sql.ref(`${line}.${column}`))
  return sql`
    SELECT statement.program_id, statement.number, version.* FROM payout_statements statement
    CROSS JOIN LATERAL (
      SELECT 1 AS version, cutoff_at AS issued_at, statement.merchant, statement.partner, statement.self_billing
      FROM payouts WHERE program_id = ${programId} AND id = ${payoutId}
      UNION ALL
      SELECT version, issued_at, merchant, partner, self_billing FROM payout_statement_versions later
      WHERE later.program_id = statement.program_id AND later.number = statement.number) version
    WHERE statement.program_id = ${programId} AND statement.payout_line_id = ${id}`
}
