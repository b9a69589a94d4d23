import type pg from 'pg'
import { APP_ROLE, type Database, openDatabase, openPool } from '../connect.ts'

/**
 * Does what only the owner of the tables may do (migrations, partitions, ANALYZE) or what takes longer than a request may:
 * on connections of its own, without the role and the time limits of requests. With `schema` only where the database has
 * exactly our migrations.
 */
export const asOwner = <T>(
  ownerUrl: string,
  work: (owner: Database) => Promise<T>,
  { schema = false }: { schema?: boolean } = {},
): Promise<T> => onPool(openPool(ownerUrl, { max: 2, name: 'tributary owner', unhurried: true, schema }), work)

/** Reads or writes at the start with the rights that requests have, without their time limits. */
export const asApplication = <T>(databaseUrl: string, work: (db: Database) => Promise<T>): Promise<T> =>
  onPool(openPool(databaseUrl, { max: 2, name: 'tributary start', unhurried: true, role: APP_ROLE }), work)

const onPool = async <T>(pool: pg.Pool, work: (db: Database) => Promise<T>) => {
  try {
    return await work(openDatabase(pool))
  } finally {
    await pool.end()
  }
}
