import type pg from 'pg'
import { APP_ROLE, openDatabase, openPool } from '../../src/database/connect.ts'

/**
 * The service's connection for tests that call many operations directly: with its role and prepared statements, but
 * without its timeouts. Those belong to requests, and a busy machine would turn them into failures.
 */
export const openUntimedDatabase = (url: string, { max }: { max: number }) => {
  const pool = openPool(url, { max, role: APP_ROLE, noTimeouts: true })
  pool.options.connectionTimeoutMillis = 0
  const connect = async () => {
    const client = await pool.connect()
    const query = (text: string, values: unknown[] = []) =>
      client.query(values.length > 0 ? { name: nameOf(text), text, values } : text)
    return { query, release: () => client.release() }
  }
  return { pool, db: openDatabase({ connect, end: () => pool.end() } as unknown as pg.Pool) }
}

const nameOf = (text: string) => Bun.hash(text).toString(36)
