import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { inTransaction } from '../database/transaction.ts'
import { publish } from '../outbox/events.ts'
import { numberCommitted } from '../outbox/number-committed.ts'
import { assignSequencesIn } from '../outbox/sequence.ts'
import { announceDue } from './announce-due.ts'
import { FAN_OUT } from './fan-out.ts'
import { dueFrom } from './time.ts'

type Test = { programId: number; endpointId: number; at: Date }

/**
 * Publishes `test.ping` and delivers it to this endpoint only, whatever types it wants. The event is numbered together with its
 * delivery: otherwise an ordered endpoint could get a later event first.
 */
export const sendTest = async (db: Database, { programId, endpointId, at }: Test) => {
  // A backlog is numbered in small transactions first.
  await numberCommitted({ db, programId, fanOut: FAN_OUT })
  return inTransaction(db, async (tx) => {
    await publish(tx, [{ programId, type: 'test.ping', at, data: { message: 'A test event from Tributary' } }])
    while (!(await assignSequencesIn(tx, programId, FAN_OUT)));
    const { rows } = await sql<{ id: number }>`
      INSERT INTO webhook_deliveries (program_id, endpoint_id, event_id, sequence, type, next_attempt_at, created_at)
      SELECT program_id, ${endpointId}, id, sequence, type, ${dueFrom(at)}, now() FROM outbox_events
      WHERE program_id = ${programId} AND id = currval(pg_get_serial_sequence('outbox_events', 'id'))
      RETURNING id`.execute(tx)
    await announceDue(tx)
    return rows[0]?.id ?? 0
  })
}
