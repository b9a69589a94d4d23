import { type Database, openDatabase, openPool } from './connect.ts'

/**
 * Does what only the owner of the tables may do (migrations, partitions, ANALYZE) or what takes longer than a request may:
 * on connections of its own, as the user in DATABASE_URL, without the role and the time limits of requests.
 */
export const asOwner = async <T>(databaseUrl: string, work: (owner: Database) => Promise<T>): Promise<T> => {
  const pool = openPool(databaseUrl, { max: 2, name: 'tributary owner', unhurried: true })
  try {
    return await work(openDatabase(pool))
  } finally {
    await pool.end()
  }
}
