import { sql } from 'kysely'
import type { Database } from '../connect.ts'
import { hasTable } from './installed.ts'

/** Whether the instance has been used; empty tables do not count. */
export const hasData = async (db: Database) => {
  if (!(await hasTable(db, 'programs'))) return false
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (SELECT FROM programs) OR EXISTS (SELECT FROM users) AS found`.execute(db)
  return rows[0]?.found ?? false
}

/** Deletes all our tables and data. */
export const removeSchema = async (db: Database) => {
  await sql`DROP SCHEMA public CASCADE`.execute(db)
  await sql`CREATE SCHEMA public`.execute(db)
}
