import type pg from 'pg'
import { APP_ROLE, openDatabase, openPool } from '../../src/database/connect.ts'
import type { Ledger } from './given-money.ts'

export type Crash = { statement: number; when: 'before' | 'after' }

/**
 * A database whose server kills the connection before or after the n-th statement, BEGIN and COMMIT included. After the
 * COMMIT, the work is done but the caller does not learn of it.
 */
export const openBreakingDatabase = ({ databaseUrl, pool: admin }: Ledger, { statement, when }: Crash) => {
  // Without timeouts: on a busy machine they would break another statement than the chosen one.
  const pool = openPool(databaseUrl, { max: 1, role: APP_ROLE, name: 'breaking', noTimeouts: true })
  pool.options.connectionTimeoutMillis = 0
  const seen: string[] = []
  let hasCrashed = false

  const kill = async (client: pg.PoolClient) => {
    hasCrashed = true
    const { processID } = client as unknown as { processID: number }
    await admin.query('SELECT pg_terminate_backend($1)', [processID])
    const isConnected = 'SELECT FROM pg_stat_activity WHERE pid = $1'
    while ((await admin.query(isConnected, [processID])).rowCount) await Bun.sleep(1)
  }
  const query = async (client: pg.PoolClient, text: string, values: unknown[]) => {
    seen.push(text)
    const isTarget = seen.length === statement
    if (isTarget && when === 'before') await kill(client)
    const result = await client.query(text, values)
    if (!isTarget || when === 'before') return result
    await kill(client)
    throw new Error('Connection terminated unexpectedly')
  }
  const connect = async () => {
    const client = await pool.connect()
    return { query: (text: string, values: unknown[]) => query(client, text, values), release: () => client.release() }
  }
  return {
    db: openDatabase({ connect, end: async () => {} } as unknown as pg.Pool),
    /** False once the operation has fewer statements than that. */
    hasCrashed: () => hasCrashed,
    statements: seen,
    close: () => pool.end(),
  }
}
