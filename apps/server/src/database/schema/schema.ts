import { sql } from 'kysely'
import type { WholeDatabase } from '../connect.ts'
import { hasTable } from './installed.ts'

/** Whether the instance has been used; empty tables do not count. */
export const hasData = async (db: WholeDatabase) => {
  if (!(await hasTable(db, 'programs'))) return false
  const program = await db.selectFrom('programs').select('id').limit(1).executeTakeFirst()
  const user = await db.selectFrom('users').select('id').limit(1).executeTakeFirst()
  return program !== undefined || user !== undefined
}

/** Deletes all our tables and data. */
export const removeSchema = async (db: WholeDatabase) => {
  const { rows } = await sql<{ name: string }>`SELECT current_schema() AS name`.execute(db)
  const schema = sql.id(rows[0]?.name ?? '')
  await sql`DROP SCHEMA ${schema} CASCADE`.execute(db)
  await sql`CREATE SCHEMA ${schema}`.execute(db)
}
