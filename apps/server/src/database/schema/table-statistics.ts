import { sql } from 'kysely'
import type { Database } from '../connect.ts'

/** Below the minimum the plan does not matter; above the maximum autovacuum, which runs every minute, is fast enough. */
const MIN_ROWS = 100
const MAX_ROWS = 100_000

/**
 * Tables that have grown by half or more since their last ANALYZE. Without statistics Postgres uses any index that starts with
 * the program, which scans all of its rows even for a foreign key, and each connection caches that plan. In a new installation
 * every sale would get slower during the first minute.
 */
export const findTablesToAnalyze = async (db: Database): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_stat_user_tables
    WHERE schemaname = current_schema() AND n_live_tup < ${MAX_ROWS}
      AND n_mod_since_analyze >= greatest(${MIN_ROWS}::bigint, n_live_tup / 2)`.execute(db)
  return rows.map(({ name }) => name)
}

/** Only the owner of the tables may do this. */
export const analyzeTables = async (owner: Database, tables: string[]) => {
  for (const table of tables) await sql`ANALYZE ${sql.table(table)}`.execute(owner)
}
