import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'

/**
 * Removes the responses to events about a customer: many receivers echo the request. Runs after the token has replaced the key in the
 * events: a result that is being recorded has committed by then, and a later one is stored without its response.
 */
export const forgetResponses = async (
  tx: Tx,
  { programId, customerKey, token }: { programId: number; customerKey: string | null; token: string },
) => {
  if (customerKey === null) return
  await sql`
    UPDATE webhook_attempts attempt SET response = NULL FROM outbox_events event
    JOIN webhook_deliveries delivery ON (delivery.program_id, delivery.event_id) = (event.program_id, event.id)
    WHERE event.program_id = ${programId} AND event.customer_key = ${token}
      AND (attempt.program_id, attempt.delivery_id) = (delivery.program_id, delivery.id) AND attempt.response IS NOT NULL`.execute(
    tx,
  )
}
