import type { SetUp } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { findInboxProgramId } from './inbox-programs.ts'
import type { Processor } from './port.ts'

/** When each event type of a processor was last received. The workspace has one inbox. */
export const eventsSeen = async (
  db: Database | Tx,
  { name, eventTypes }: Processor,
  workspaceId: string,
): Promise<SetUp['steps']['payments']['events']> => {
  const inboxProgramId = await findInboxProgramId(db, workspaceId)
  const { rows } = await sql<{ type: string; at: Date | null }>`
    SELECT wanted.type, (
      SELECT max(event.received_at) FROM processor_events event
      WHERE event.program_id = ${inboxProgramId} AND event.type = wanted.type AND event.processor = ${name}) AS at
    FROM unnest(${eventTypes}::text[]) WITH ORDINALITY AS wanted(type, position) ORDER BY wanted.position`.execute(db)
  return rows.map(({ type, at }) => ({ type, lastReceivedAt: at?.toISOString() ?? null }))
}
