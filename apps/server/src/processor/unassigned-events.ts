import type { EventReason } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { lockAccounts, workspaceOfAccount } from './connections/accounts.ts'

type UnassignedEvent = {
  processor: string
  eventId: string
  type: string
  accountId: string | null
  createdAt: Date
  receivedAt: Date
  payload: Buffer
  reason: EventReason
}

/** Stores a genuine event whose account is not connected, once. False if the account was connected in the meantime. */
export const storeUnassignedEvent = (db: Database, event: UnassignedEvent) =>
  inTransaction(db, async (tx) => {
    if (event.accountId) {
      await lockAccounts(tx, [event.accountId])
      if (await workspaceOfAccount(tx, event.accountId)) return false
    }
    await tx
      .insertInto('processorUnassignedEvents')
      .values(event)
      .onConflict((conflict) => conflict.column('eventId').doNothing())
      .execute()
    return true
  })

/** Unclaimed events in chronological order. */
export const listUnassignedEvents = (tx: Tx, accountId: string) =>
  tx
    .selectFrom('processorUnassignedEvents')
    .select(['processor', 'eventId', 'payload', 'receivedAt'])
    .where('accountId', '=', accountId)
    .where('claimedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('eventId')
    .execute()

export const markClaimed = (tx: Tx, { eventId, at }: { eventId: string; at: Date }) =>
  tx.updateTable('processorUnassignedEvents').set({ claimedAt: at }).where('eventId', '=', eventId).execute()

export const redactUnassignedEvent = (
  tx: Tx,
  { eventId, payload, at }: { eventId: string; payload: Buffer; at: Date },
) => sql`SELECT redact_unassigned_event(${eventId}, ${payload}, ${at})`.execute(tx)
