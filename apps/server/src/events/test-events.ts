import { type EventType, MAX_COUNTED_TEST_EVENTS } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Json } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'

/** Test events live in a table of their own, so that no production number can ever see one. */
export const insertTestEvent = async (
  tx: Tx,
  event: { programId: number; eventType: EventType; details: Json; createdAt: Date },
) => {
  const { id } = await tx.insertInto('testEvents').values(event).returning('id').executeTakeFirstOrThrow()
  return id
}

export const countTestEventsSince = async (tx: Tx, { programId, since }: { programId: number; since: Date }) => {
  const { total } = await tx
    .selectFrom('testEvents')
    .select((expression) => expression.fn.countAll<number>().as('total'))
    .where('programId', '=', programId)
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow()
  return total
}

/** The newest test events of one type, as many as the status answer counts. */
export const latestTestEvents = (db: Database, { programId, eventType }: { programId: number; eventType: EventType }) =>
  db
    .selectFrom('testEvents')
    .select(['id', 'createdAt'])
    .where('programId', '=', programId)
    .where('eventType', '=', eventType)
    .orderBy('id', 'desc')
    .limit(MAX_COUNTED_TEST_EVENTS)
    .execute()

/** A merchant's test can name a real customer. */
export const forgetTestEvents = async (
  tx: Tx,
  { programId, customerKey, token }: { programId: number; customerKey: string | null; token: string },
) => {
  if (customerKey === null) return 0
  const { numUpdatedRows } = await tx
    .updateTable('testEvents')
    .set({ details: sql`jsonb_set(details, '{customer_key}', to_jsonb(${token}::text))` })
    .where('programId', '=', programId)
    .where(sql`details ->> 'customer_key'`, '=', customerKey)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
