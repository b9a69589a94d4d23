import { type EventType, MAX_COUNTED_TEST_EVENTS, type TestOrigin } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOfTexts } from '../database/sql/columns.ts'
import type { Json } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'

/** Test events have a separate table, so they cannot affect production numbers. */
export const insertTestEvent = async (
  tx: Tx,
  event: { programId: number; eventType: EventType; origin: TestOrigin | null; details: Json; createdAt: Date },
) => {
  const { id } = await tx.insertInto('testEvents').values(event).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Test events that the merchant sent with a key, a signature or a session. Others have a separate limit. */
const MERCHANT: (TestOrigin | null)[] = ['server', 'processor', 'dashboard']
const isMerchant = sql<boolean>`coalesce(test_events.origin = ANY (${MERCHANT}::text[]), false)`

export const countTestEventsSince = async (
  tx: Tx,
  { programId, since, origin }: { programId: number; since: Date; origin: TestOrigin | null },
) => {
  const { total } = await tx
    .selectFrom('testEvents')
    .select((expression) => expression.fn.countAll<number>().as('total'))
    .where('programId', '=', programId)
    .where('createdAt', '>', since)
    .where(isMerchant, '=', MERCHANT.includes(origin))
    .executeTakeFirstOrThrow()
  return total
}

/** The newest test events of one type, up to the number that the status endpoint counts. */
export const latestTestEvents = (db: Database, { programId, eventType }: { programId: number; eventType: EventType }) =>
  db
    .selectFrom('testEvents')
    .select(['id', 'createdAt'])
    .where('programId', '=', programId)
    .where('eventType', '=', eventType)
    .orderBy('id', 'desc')
    .limit(MAX_COUNTED_TEST_EVENTS)
    .execute()

type OriginLookup = { programId: number; eventType: EventType; origins: TestOrigin[] }

/** The newest test event from one of these origins. */
export const latestTestFrom = (db: Database, { programId, eventType, origins }: OriginLookup) =>
  db
    .selectFrom('testEvents')
    .select(['id', 'createdAt', 'origin', 'details'])
    .where('programId', '=', programId)
    .where('eventType', '=', eventType)
    .where('origin', '=', anyOfTexts(origins))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** A merchant's test event can name a real customer. */
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
