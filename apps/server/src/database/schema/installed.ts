import { sql } from 'kysely'
import type { Database } from '../connect.ts'

/** Whether this table exists. */
export const hasTable = async (db: Database, table: string) => {
  const { rows } = await sql<{ found: boolean }>`SELECT to_regclass(${table}) IS NOT NULL AS found`.execute(db)
  return rows[0]?.found ?? false
}

/** Names of connections that every serving process has, and nothing else. */
export const DASHBOARD_NAME = 'tributary'
export const LISTENER_NAME = 'tributary news'

/** Whether a service is connected to this database. */
export const isServiceRunning = async (db: Database) => {
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name IN (${DASHBOARD_NAME}, ${LISTENER_NAME})) AS found`.execute(
    db,
  )
  return rows[0]?.found ?? false
}
