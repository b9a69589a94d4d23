import type { EventReason } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'

type Stray = {
  processor: string
  eventId: string
  type: string
  accountId: string | null
  createdAt: Date
  receivedAt: Date
  payload: Buffer
  reason: EventReason
}

/** A genuine event that belongs to nobody here. Kept all the same, once. */
export const keepStray = async (db: Database, stray: Stray) => {
  await db
    .insertInto('processorStrays')
    .values(stray)
    .onConflict((conflict) => conflict.column('eventId').doNothing())
    .execute()
}

export const redactStray = (tx: Tx, { eventId, payload, at }: { eventId: string; payload: Buffer; at: Date }) =>
  sql`SELECT redact_stray(${eventId}, ${payload}, ${at})`.execute(tx)
