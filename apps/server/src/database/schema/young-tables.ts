import { sql } from 'kysely'
import type { Database } from '../connect.ts'

/** Enough rows that their number matters; and so many that Postgres itself, which looks every minute, is early enough. */
const FEW_ROWS = 100
const MANY_ROWS = 100_000

/**
 * Tables that have grown by half or more since Postgres last counted them. While it knows nothing of a table it reads it by
 * any index that begins with the program, so by every row of the program, even for a foreign key, and a connection keeps
 * that plan: in a new installation each sale would cost more than the one before, for the first minute.
 */
export const findYoungTables = async (db: Database): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_stat_user_tables
    WHERE schemaname = current_schema() AND n_live_tup < ${MANY_ROWS}
      AND n_mod_since_analyze >= greatest(${FEW_ROWS}::bigint, n_live_tup / 2)`.execute(db)
  return rows.map(({ name }) => name)
}

/** As the tables' owner, who alone may. */
export const analyseTables = async (owner: Database, tables: string[]) => {
  for (const table of tables) await sql`ANALYZE ${sql.table(table)}`.execute(owner)
}
