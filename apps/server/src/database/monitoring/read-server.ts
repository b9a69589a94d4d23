import { sql } from 'kysely'
import type { Database } from '../connect.ts'

/** What `doctor` compares with this machine and the settings. */
export const readServer = async (db: Database) => {
  const { rows } = await sql<{ version: string; now: Date; maxConnections: number }>`
    SELECT current_setting('server_version') AS version, clock_timestamp() AS now,
      current_setting('max_connections')::int AS max_connections`.execute(db)
  const [server] = rows
  if (!server) throw new Error('no server')
  return server
}
