import type { SetUp } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { findHomeId } from './homes.ts'
import { EVENT_TYPES } from './stripe/translate.ts'

/** When each supported event type was last received. The workspace has one inbox. */
export const eventsSeen = async (db: Database, workspaceId: string): Promise<SetUp['steps']['payments']['events']> => {
  const homeId = await findHomeId(db, workspaceId)
  const { rows } = await sql<{ type: string; at: Date | null }>`
    SELECT asked.type, (
      SELECT max(event.received_at) FROM processor_events event
      WHERE event.program_id = ${homeId} AND event.type = asked.type) AS at
    FROM unnest(${EVENT_TYPES}::text[]) WITH ORDINALITY AS asked(type, nth) ORDER BY asked.nth`.execute(db)
  return rows.map(({ type, at }) => ({ type, lastReceivedAt: at?.toISOString() ?? null }))
}
