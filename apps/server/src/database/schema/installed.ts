import { sql } from 'kysely'
import type { Database } from '../connect.ts'

/** Whether this table exists. */
export const hasTable = async (db: Database, table: string) => {
  const { rows } = await sql<{ found: boolean }>`SELECT to_regclass(${table}) IS NOT NULL AS found`.execute(db)
  return rows[0]?.found ?? false
}

/** Whether a service is connected to this database, by the names of its connections. */
export const isServiceRunning = async (db: Database) => {
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name IN ('tributary', 'tributary news')) AS found`.execute(
    db,
  )
  return rows[0]?.found ?? false
}
