import { sql } from 'kysely'
import type { Database } from '../connect.ts'
import { firstDue } from '../sql/first-due.ts'

/** Counting stops here: an operator needs no exact number of a backlog this long. */
const MAX_COUNT = 10_000

const countUpTo = (rows: ReturnType<typeof sql>) =>
  sql`(SELECT count(*) FROM (${rows} LIMIT ${sql.lit(MAX_COUNT)}) counted)`

const secondsSince = (time: ReturnType<typeof sql>) => sql`greatest(extract(epoch FROM now() - ${time}), 0)::float8`

export type Backlogs = {
  databaseBytes: number
  /** Processor events of accounts that no workspace has connected. */
  unassignedEvents: number
  unsequencedEvents: number
  /** To enabled endpoints. */
  pendingDeliveries: number
  /** How long the delivery that should have been sent first is overdue. */
  deliveryDelaySeconds: number
  /** Since the last seal of a program with unsealed ledger lines; 0 if everything is sealed. */
  sealDelaySeconds: number
  rollUpDelaySeconds: number
}

/** What waits for a background job, each found through an index. */
export const readBacklogs = async (db: Database): Promise<Backlogs> => {
  const { rows: waiting } = await sql<Backlogs>`
    SELECT pg_database_size(current_database())::float8 AS database_bytes,
      ${countUpTo(sql`SELECT FROM processor_unassigned_events`)} AS unassigned_events,
      ${countUpTo(sql`SELECT FROM outbox_events WHERE sequence IS NULL`)} AS unsequenced_events,
      ${countUpTo(sql`SELECT FROM webhook_deliveries delivery
        JOIN webhook_endpoints endpoint ON (endpoint.program_id, endpoint.id) = (delivery.program_id, delivery.endpoint_id)
        WHERE delivery.state = 'pending' AND endpoint.enabled`)} AS pending_deliveries,
      coalesce((
        SELECT ${secondsSince(sql`min(${firstDue})`)} FROM webhook_endpoints endpoint
        WHERE endpoint.enabled), 0) AS delivery_delay_seconds,
      coalesce((
        SELECT max(${secondsSince(sql`coalesce(block.sealed_at, line.created_at)`)}) FROM programs
        CROSS JOIN LATERAL (
          SELECT id, created_at FROM ledger_lines WHERE program_id = programs.id ORDER BY id DESC LIMIT 1) line
        LEFT JOIN LATERAL (
          SELECT sealed_at FROM ledger_blocks WHERE program_id = programs.id ORDER BY number DESC LIMIT 1) block ON true
        WHERE NOT EXISTS (
          SELECT FROM ledger_block_lines sealed WHERE sealed.program_id = programs.id AND sealed.line_id = line.id)),
        0) AS seal_delay_seconds,
      coalesce((SELECT ${secondsSince(sql`min(counted_until)`)} FROM roll_ups), 0) AS roll_up_delay_seconds`.execute(db)
  if (!waiting[0]) throw new Error('no backlogs')
  return waiting[0]
}
