import type { NextPayable } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { type Balance, balances } from './ledger.ts'

type Scope = { programId: number; at: Date; partnerIds: number[] }
type Day = { partnerId: number; currency: string } & NonNullable<NextPayable>

/**
 * The first day, in the program's time zone, on which a held amount of each partner becomes payable, with the amount of that day. Amounts
 * of partners who are not approved become payable on approval instead.
 */
const findNextDays = async (db: Database, { programId, at, partnerIds }: Scope) => {
  if (partnerIds.length === 0) return []
  const { rows } = await sql<Day>`
    SELECT DISTINCT ON (partner_id, currency) partner_id, currency, day::text AS "on", cents AS amount_cents
    FROM (
      SELECT line.partner_id, line.currency, (line.available_at AT TIME ZONE program.timezone)::date AS day,
        sum(CASE 'earned' WHEN to_account THEN amount_cents ELSE -amount_cents END)::bigint AS cents
      FROM programs program
      JOIN partners partner ON partner.program_id = program.id AND partner.id = ANY (${partnerIds}::integer[])
        AND partner.status = 'approved'
      JOIN ledger_lines line ON line.program_id = partner.program_id AND line.partner_id = partner.id
        AND line.available_at > ${at} AND 'earned' IN (line.from_account, line.to_account)
      WHERE program.id = ${programId}
      GROUP BY line.partner_id, line.currency, day) held
    WHERE cents > 0 ORDER BY partner_id, currency, day`.execute(db)
  return rows
}

type Account = { partnerId: number; currency: string }
const keyOf = ({ partnerId, currency }: Account) => `${partnerId} ${currency}`

/** Adds to each balance when the next held amount becomes payable. */
export const withNextPayable = async <Row extends Account>(
  db: Database,
  { programId, at }: Omit<Scope, 'partnerIds'>,
  rows: Row[],
) => {
  const partnerIds = [...new Set(rows.map(({ partnerId }) => partnerId))]
  const days = new Map((await findNextDays(db, { programId, at, partnerIds })).map((day) => [keyOf(day), day]))
  return rows.map((row): Row & { nextPayable: NextPayable } => {
    const day = days.get(keyOf(row))
    return { ...row, nextPayable: day ? { on: day.on, amountCents: day.amountCents } : null }
  })
}

/** A partner's balances, with when the next held amount becomes payable. */
export const partnerBalances = async (
  db: Database,
  key: { programId: number; partnerId: number; at: Date },
): Promise<(Balance & { nextPayable: NextPayable })[]> => withNextPayable(db, key, await balances(db, key))
