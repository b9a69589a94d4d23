import { sql } from 'kysely'
import type { Database } from '../../apps/server/src/database/connect.ts'
import type { Link } from './outcomes.ts'

/** Every link of a program with its partner. */
export const findLinks = async (db: Database, programId: number) => {
  const { rows } = await sql<Link>`
    SELECT id, partner_id FROM referral_links WHERE program_id = ${programId} AND partner_id IS NOT NULL ORDER BY id`.execute(
    db,
  )
  return rows
}

/** Reserves `count` IDs of a table's sequence; returns the first. */
export const reserveIds = async (db: Database, table: string, count: number) => {
  const sequence = sql`pg_get_serial_sequence(${table}, 'id')`
  const { rows } = await sql<{ first: number }>`SELECT nextval(${sequence}) AS first`.execute(db)
  const first = rows[0]?.first ?? 1
  if (count > 1) await sql`SELECT setval(${sequence}, ${first + count - 1})`.execute(db)
  return first
}
