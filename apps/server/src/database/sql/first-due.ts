import { sql } from 'kysely'

const isPending = sql`(first.program_id, first.endpoint_id) = (endpoint.program_id, endpoint.id) AND first.state = 'pending'`

/** SQL fragment: when the first pending delivery of `endpoint` is due, by sequence if it is ordered. One index lookup. */
export const firstDue = sql<Date | null>`CASE WHEN endpoint.ordered
  THEN (SELECT first.next_attempt_at FROM webhook_deliveries first WHERE ${isPending} ORDER BY first.sequence LIMIT 1)
  ELSE (SELECT first.next_attempt_at FROM webhook_deliveries first WHERE ${isPending} ORDER BY first.next_attempt_at LIMIT 1)
  END`
