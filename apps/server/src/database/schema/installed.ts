import { sql } from 'kysely'
import type { Database } from '../connect.ts'

/** Whether a migration that makes this table was run here. */
export const hasTable = async (db: Database, table: string) => {
  const { rows } = await sql<{ found: boolean }>`SELECT to_regclass(${table}) IS NOT NULL AS found`.execute(db)
  return rows[0]?.found ?? false
}

/** Whether a service works on this database now: its connections carry its name. */
export const isInService = async (db: Database) => {
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name IN ('tributary', 'tributary news')) AS found`.execute(
    db,
  )
  return rows[0]?.found ?? false
}
