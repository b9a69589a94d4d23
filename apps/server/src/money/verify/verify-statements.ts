import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'

type Check = { programId: number; found: (difference: string) => void }

/** Finds statements that are missing or do not add up. */
export const verifyStatements = async (tx: Tx, check: Check) => {
  await verifyNumbers(tx, check)
  await verifyVersions(tx, check)
  await verifySums(tx, check)
}

/** Numbers must run from 1 to the latest without gaps: a gap is a statement that someone removed. */
const verifyNumbers = async (tx: Tx, { programId, found }: Check) => {
  const { rows } = await sql<{ number: number }>`
    SELECT expected AS number FROM payout_statement_numbers latest CROSS JOIN LATERAL generate_series(1, latest.last_number) expected
    WHERE latest.program_id = ${programId} AND NOT EXISTS (
      SELECT FROM payout_statements statement WHERE statement.program_id = latest.program_id AND statement.number = expected)
    UNION ALL
    SELECT number FROM payout_statements statement WHERE program_id = ${programId} AND number > coalesce((
      SELECT last_number FROM payout_statement_numbers latest WHERE latest.program_id = statement.program_id), 0)
    ORDER BY number`.execute(tx)
  for (const { number } of rows) found(`statement ${number} is missing or beyond the latest number`)
}

/** Versions must run from 2 without gaps. */
const verifyVersions = async (tx: Tx, { programId, found }: Check) => {
  const { rows } = await sql<{ number: number }>`
    SELECT number FROM payout_statement_versions WHERE program_id = ${programId}
    GROUP BY number HAVING max(version) <> count(*) + 1 ORDER BY number`.execute(tx)
  for (const { number } of rows) found(`statement ${number} lacks a version`)
}

/** The items must add up to the line. */
const verifySums = async (tx: Tx, { programId, found }: Check) => {
  const { rows } = await sql<{ number: number; lineId: string; reservedCents: string; itemCents: string }>`
    SELECT statement.number, line.id::text AS line_id, line.reserved_cents::text, item.cents::text AS item_cents
    FROM payout_statements statement
    JOIN payout_lines line ON line.program_id = statement.program_id AND line.id = statement.payout_line_id
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(amount_cents), 0) AS cents FROM payout_statement_items item
      WHERE item.program_id = line.program_id AND item.payout_line_id = line.id) item
    WHERE statement.program_id = ${programId} AND item.cents <> line.reserved_cents
    ORDER BY statement.number`.execute(tx)
  for (const { number, lineId, reservedCents, itemCents } of rows)
    found(`statement ${number} has items of ${itemCents}, but payout line ${lineId} reserved ${reservedCents}`)
}
