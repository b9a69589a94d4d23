import type { EventOutcome, EventReason, ReasonCode } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOfTexts, columnsOf } from '../database/sql/columns.ts'
import type { Tx } from '../database/transaction.ts'

export type StoredEvent = {
  programId: number
  processor: string
  eventId: string
  type: string
  accountId: string | null
  livemode: boolean
  apiVersion: string | null
  createdAt: Date
  receivedAt: Date
  payload: Buffer
  /** Filled in. Null if it was stored before. */
  id?: number | null
}

/** The result of an event, as stored: a payment report, which has an outcome of its own, or an outcome (`fate`). */
export type Outcome =
  | { reportId: number; fate: null; reason: null }
  | { reportId: null; fate: EventOutcome; reason: EventReason | ReasonCode }

/** Stores events and fills in their IDs. Concurrent deliveries wait here for the first. */
export const storeEvents = async (tx: Tx, events: StoredEvent[]) => {
  const column = columnsOf(events.map((event) => ({ ...event, livemode: String(event.livemode) })))
  const { rows } = await sql<{ programId: number; eventId: string; id: number }>`
    INSERT INTO processor_events (program_id, processor, event_id, type, account_id, livemode, api_version, created_at, received_at,
      payload)
    SELECT program_id, processor, event_id, type, account_id, livemode::boolean, api_version, created_at, received_at, payload
    FROM unnest(${column('programId', 'integer')}, ${column('processor', 'text')}, ${column('eventId', 'text')},
      ${column('type', 'text')}, ${column('accountId', 'text')}, ${column('livemode', 'text')}, ${column('apiVersion', 'text')},
      ${column('createdAt', 'timestamptz')}, ${column('receivedAt', 'timestamptz')}, ${column('payload', 'bytea')})
      AS event(program_id, processor, event_id, type, account_id, livemode, api_version, created_at, received_at, payload)
    ORDER BY program_id, event_id
    ON CONFLICT (program_id, event_id) DO NOTHING RETURNING program_id, event_id, id`.execute(tx)
  const ids = new Map(rows.map(({ programId, eventId, id }) => [`${programId} ${eventId}`, id]))
  for (const event of events) event.id = ids.get(`${event.programId} ${event.eventId}`) ?? null
}

type RetryLookup = { programId: number; eventId: string; reasons: EventReason[] }

/** Locks a stored event that had no effect for one of these reasons, so that a new delivery can retry it. */
export const lockForRetry = async (tx: Tx, { programId, eventId, reasons }: RetryLookup) => {
  const row = await tx
    .selectFrom('processorEvents')
    .select('id')
    .where('programId', '=', programId)
    .where('eventId', '=', eventId)
    .where('reason', '=', anyOfTexts(reasons))
    .forUpdate()
    .executeTakeFirst()
  return row?.id ?? null
}

type LinkedReport = { programId: number; id: number; reportId: number }

/** Links events to their payment reports. Returns those of payments that another event was redacted for. */
export const linkReports = async <Event extends LinkedReport>(tx: Tx, linked: Event[]): Promise<Event[]> => {
  const column = columnsOf<LinkedReport>(linked)
  const { rows } = await sql<{ position: number }>`
    WITH input AS MATERIALIZED (
      SELECT * FROM unnest(${column('programId', 'integer')}, ${column('id', 'bigint')}, ${column('reportId', 'bigint')})
        WITH ORDINALITY AS input(program_id, id, report_id, position)),
    linked AS (
      UPDATE processor_events SET report_id = input.report_id, fate = NULL, reason = NULL FROM input
      WHERE processor_events.program_id = input.program_id AND processor_events.id = input.id)
    SELECT position FROM input
    JOIN payment_reports report ON report.program_id = input.program_id AND report.id = input.report_id
    WHERE EXISTS (
      SELECT FROM payment_reports other
      JOIN processor_events event ON event.program_id = other.program_id AND event.report_id = other.id
      WHERE other.program_id = report.program_id AND other.payment_id = report.payment_id AND event.redacted_at IS NOT NULL)
    ORDER BY position`.execute(tx)
  return rows.map(({ position }) => linked[position - 1] as Event)
}

export const storeOutcome = async (
  tx: Tx,
  { programId, id, ...outcome }: { programId: number; id: number } & Outcome,
) => {
  await tx.updateTable('processorEvents').set(outcome).where('programId', '=', programId).where('id', '=', id).execute()
}

type EventRange = { programId: number; since: Date; after: string | null; limit: number }

/** A page of stored events since a time, oldest first, and how many follow. */
export const listEventsSince = async (tx: Tx, { programId, since, after, limit }: EventRange) => {
  const start = after === null ? null : await findPosition(tx, { programId, eventId: after })
  const all = tx
    .selectFrom('processorEvents')
    .where('programId', '=', programId)
    .where('createdAt', '>=', since)
    .$if(start !== null, (query) =>
      query.where(sql<boolean>`(created_at, id) > (${start?.createdAt}::timestamptz, ${start?.id}::bigint)`),
    )
  const rows = await all
    .select(['id', 'eventId', 'type', 'payload', 'receivedAt', 'reportId', 'fate', 'reason'])
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .execute()
  const { total } = await all.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, remaining: total - rows.length }
}

export type ReplayedEvent = Awaited<ReturnType<typeof listEventsSince>>['rows'][number]

const findPosition = async (tx: Tx, { programId, eventId }: { programId: number; eventId: string }) => {
  const row = await tx
    .selectFrom('processorEvents')
    .select(['id', 'createdAt'])
    .where('programId', '=', programId)
    .where('eventId', '=', eventId)
    .executeTakeFirst()
  return row ?? null
}

/** Which of these events were received before. */
export const findKnownEvents = async (
  db: Database,
  { programId, eventIds }: { programId: number; eventIds: string[] },
) => {
  if (eventIds.length === 0) return new Set<string>()
  const rows = await db
    .selectFrom('processorEvents')
    .select('eventId')
    .where('programId', '=', programId)
    .where('eventId', '=', anyOfTexts(eventIds))
    .execute()
  return new Set(rows.map(({ eventId }) => eventId))
}

type Redaction = { programId: number; id: number; payload: Buffer; at: Date }

/** The database lets us change a payload only through this function, which marks the row as redacted (0005-payments.sql). */
export const redactStoredEvent = (tx: Tx, { programId, id, payload, at }: Redaction) =>
  sql`SELECT redact_event(${programId}, ${id}, ${payload}, ${at})`.execute(tx)
