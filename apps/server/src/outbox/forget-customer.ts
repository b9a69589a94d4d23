import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'

type Erasure = { programId: number; customerKey: string | null; token: string }

/** Replaces the customer's key with the token and removes their data from every stored event. */
export const forgetCustomerInEvents = async (tx: Tx, { programId, customerKey, token }: Erasure) => {
  if (customerKey === null) return
  await sql`
    UPDATE outbox_events SET customer = NULL, customer_key = ${token},
      data = (data::jsonb || jsonb_build_object('customerKey', ${token}::text))::json,
      changes = CASE WHEN changes::jsonb ? 'customerKey' THEN (changes::jsonb - 'customerKey')::json ELSE changes END
    WHERE program_id = ${programId} AND customer_key = ${customerKey}`.execute(tx)
}
