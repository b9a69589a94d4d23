import { type EventType, MAX_COUNTED_TEST_EVENTS, TEST_ORIGINS, type TestOrigin } from '@tributary/contract'
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

/**
 * The newest of each type and origin stay forever: the status endpoint counts them, and the setup page looks for one from the
 * merchant, which unauthenticated tests must not displace. Others stay for a month, up to what a list shows.
 */
const ALWAYS_KEPT = 100
const MAX_KEPT = 1_000
const KEPT_DAYS = 30
const BATCH = 2_000
const DAY_MS = 86_400_000

/** A null origin claims to be the dashboard's check but was sent without a member's session (http/public/test-origin.ts). */
type TestKind = { type: EventType; origin: TestOrigin | null }

/** Anyone can create test events, so old ones are deleted, in batches. */
export const purgeTestEvents = async (db: Database, at: Date) => {
  const before = new Date(at.getTime() - KEPT_DAYS * DAY_MS)
  const ofKind = sql`program_id = program.id AND event_type = kind.type AND origin IS NOT DISTINCT FROM kind.origin`
  const newest = (offset: number) => sql`coalesce((
    SELECT id FROM test_events WHERE ${ofKind} ORDER BY id DESC OFFSET ${sql.lit(offset)} LIMIT 1), 0)`
  const { rows } = await sql<TestKind & { programId: number; beyond: number; farBeyond: number }>`
    SELECT program.id AS program_id, kind.*, ${newest(ALWAYS_KEPT)} AS beyond, ${newest(MAX_KEPT)} AS far_beyond
    FROM programs program CROSS JOIN (
      SELECT type, origin FROM unnest(ARRAY['click', 'lead', 'sale']) AS type
      CROSS JOIN unnest(array_append(${[...TEST_ORIGINS]}::text[], NULL)) AS origin) kind
    WHERE EXISTS (SELECT FROM test_events WHERE ${ofKind} AND id <= ${newest(ALWAYS_KEPT)})`.execute(db)
  for (const { programId, type, origin, beyond, farBeyond } of rows) {
    let deleted = BATCH
    while (deleted === BATCH) {
      const { numAffectedRows } = await sql`
        DELETE FROM test_events WHERE program_id = ${programId} AND id = ANY (ARRAY(
          SELECT id FROM test_events WHERE program_id = ${programId} AND event_type = ${type}
            AND origin IS NOT DISTINCT FROM ${origin} AND id <= ${beyond}
            AND (id <= ${farBeyond} OR created_at < ${before}) ORDER BY id LIMIT ${sql.lit(BATCH)}))`.execute(db)
      deleted = Number(numAffectedRows ?? 0)
    }
  }
}

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
