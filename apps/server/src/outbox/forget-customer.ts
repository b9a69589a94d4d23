import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'

type Erasure = { programId: number; customerKey: string | null; token: string }

/** Replaces the customer's key with the token and removes their data from every stored event. Locks them in the order of their IDs. */
export const forgetCustomerInEvents = async (tx: Tx, { programId, customerKey, token }: Erasure) => {
  if (customerKey === null) return
  await sql`
    WITH named AS MATERIALIZED (
      SELECT id FROM outbox_events WHERE program_id = ${programId} AND customer_key = ${customerKey} ORDER BY id FOR NO KEY UPDATE)
    UPDATE outbox_events SET customer = NULL, customer_key = ${token},
      data = (data::jsonb || jsonb_build_object('customerKey', ${token}::text))::json,
      changes = CASE WHEN changes::jsonb ? 'customerKey' THEN (changes::jsonb - 'customerKey')::json ELSE changes END
    FROM named WHERE outbox_events.program_id = ${programId} AND outbox_events.id = named.id`.execute(tx)
}
