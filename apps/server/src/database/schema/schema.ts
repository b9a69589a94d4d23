import { sql } from 'kysely'
import type { Database } from '../connect.ts'
import { hasTable } from './installed.ts'

/** Whether the instance has been used; empty tables do not count. */
export const hasData = async (db: Database) => {
  if (!(await hasTable(db, 'programs'))) return false
  return (await hasRows(db, 'programs')) || (await hasRows(db, 'users'))
}

const hasRows = async (db: Database, table: 'programs' | 'users') =>
  (await db.selectFrom(table).select('id').limit(1).executeTakeFirst()) !== undefined

/** Deletes all our tables and data. */
export const removeSchema = async (db: Database) => {
  const { rows } = await sql<{ name: string }>`SELECT current_schema() AS name`.execute(db)
  const schema = sql.id(rows[0]?.name ?? '')
  await sql`DROP SCHEMA ${schema} CASCADE`.execute(db)
  await sql`CREATE SCHEMA ${schema}`.execute(db)
}
