import type pg from 'pg'
import { APP_ROLE, type Database, openDatabase, openPool } from '../connect.ts'

/**
 * For work that needs the owner (migrations, partitions, ANALYZE) or more time than a request: separate connections without the
 * application role and its timeouts. `schema` requires the database to have exactly our migrations.
 */
export const asOwner = <T>(
  ownerUrl: string,
  work: (owner: Database) => Promise<T>,
  { schema = false }: { schema?: boolean } = {},
): Promise<T> => withPool(openPool(ownerUrl, { max: 2, name: 'tributary owner', noTimeouts: true, schema }), work)

/** For startup work with the application's privileges but without its timeouts. */
export const asApplication = <T>(databaseUrl: string, work: (db: Database) => Promise<T>): Promise<T> =>
  withPool(openPool(databaseUrl, { max: 2, name: 'tributary start', noTimeouts: true, role: APP_ROLE }), work)

const withPool = async <T>(pool: pg.Pool, work: (db: Database) => Promise<T>) => {
  try {
    return await work(openDatabase(pool))
  } finally {
    await pool.end()
  }
}
