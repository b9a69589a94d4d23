import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'
import { announceDue } from './announce-due.ts'

type Range = { programId: number; after: number; upTo: number }

/**
 * Creates a delivery for every enabled endpoint that wants an event, in the transaction that gives the events their sequences: an
 * event is never visible without its deliveries. Test events go to the endpoint they were sent for (send-test.ts).
 */
export const createDeliveries = async (tx: Tx, { programId, after, upTo }: Range) => {
  // The event's time is that of the process that wrote it. If its clock is ahead it must not delay the delivery, and if it is behind the
  // delivery must not be old already.
  const { numAffectedRows } = await sql`
    INSERT INTO webhook_deliveries (program_id, endpoint_id, event_id, sequence, type, next_attempt_at, created_at)
    SELECT event.program_id, endpoint.id, event.id, event.sequence, event.type,
      least(event.occurred_at, now()), now()
    FROM outbox_events event
    JOIN webhook_endpoints endpoint ON endpoint.program_id = event.program_id AND endpoint.enabled
      AND (endpoint.events = '{*}' OR event.type = any(endpoint.events))
    WHERE event.program_id = ${programId} AND event.sequence > ${after} AND event.sequence <= ${upTo}
      AND event.type <> 'test.ping'
    ORDER BY event.sequence
    ON CONFLICT (program_id, endpoint_id, event_id) DO NOTHING`.execute(tx)
  if (numAffectedRows) await announceDue(tx)
}
