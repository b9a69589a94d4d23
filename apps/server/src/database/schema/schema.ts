import { type RawBuilder, sql } from 'kysely'
import { StartupError } from '../../config/startup-error.ts'
import type { Database } from '../connect.ts'
import { hasTable } from './installed.ts'
import { isMigratedByUs, MIGRATOR_TABLES, migrationsOf } from './migrate.ts'
import { findOwnObjects } from './own-objects.ts'

/** Whether the instance has been used; empty tables do not count. */
export const hasData = async (db: Database) => {
  if (!(await hasTable(db, 'programs'))) return false
  const program = await db.selectFrom('programs').select('id').limit(1).executeTakeFirst()
  const user = await db.selectFrom('users').select('id').limit(1).executeTakeFirst()
  return program !== undefined || user !== undefined
}

/** "2BP01": something of another application, such as a view, needs our table. */
const HAS_DEPENDENTS = '2BP01'

/** Deletes all our tables and data, and nothing of other applications. */
export const removeSchema = async (db: Database) => {
  if (!(await isMigratedByUs(db))) return
  const isOwnObject = await findOwnObjects(await migrationsOf(db))
  const isOurs = (object: { name: string }) => isOwnObject(object) || MIGRATOR_TABLES.includes(object.name)
  const [tables, functions] = await Promise.all([listTables(db), listFunctions(db)])
  try {
    await db.transaction().execute(async (tx) => {
      // In one statement, because of foreign keys in both directions.
      await sql`DROP TABLE ${idsOf(tables.filter(isOurs))}`.execute(tx)
      const owned = functions.filter(isOurs)
      if (owned.length > 0) await sql`DROP FUNCTION ${idsOf(owned)}`.execute(tx)
    })
  } catch (error) {
    const { code, detail } = error as { code?: string; detail?: string }
    if (code !== HAS_DEPENDENTS) throw error
    throw new StartupError(`Objects of another application need our tables: ${detail}. Drop them, then restore again.`)
  }
}

const idsOf = (objects: { name: string }[]) => sql.join(objects.map(({ name }) => sql.id(name)))

const listTables = async (db: Database) => {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND ${isNotOfExtension(sql`pg_class`)}`.execute(db)
  return rows
}

const listFunctions = async (db: Database) => {
  const { rows } = await sql<{ name: string }>`
    SELECT proname AS name FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace AND ${isNotOfExtension(sql`pg_proc`)}`.execute(db)
  return rows
}

const isNotOfExtension = (catalogue: RawBuilder<unknown>) => sql<boolean>`NOT EXISTS (
  SELECT FROM pg_depend WHERE classid = ${catalogue}.tableoid AND objid = ${catalogue}.oid AND deptype = 'e')`
