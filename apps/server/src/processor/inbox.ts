import type { EventOutcome, EventReason, ReasonCode } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOfTexts, columnsOf } from '../database/sql/columns.ts'
import type { Tx } from '../database/transaction.ts'
import type { IncomingEvent } from './translation.ts'

export type StoredEvent = {
  programId: number
  /** The program whose endpoint received it. */
  endpointProgramId: number | null
  processor: string
  /** The account within which its ID is unique; empty if it is unique across accounts. */
  scope: string
  eventId: string
  type: string
  accountId: string | null
  livemode: boolean
  apiVersion: string | null
  createdAt: Date
  receivedAt: Date
  payload: Buffer
  /** If it is known already. */
  outcome?: Outcome | null
  /** Filled in. Null if it was stored before. */
  id?: number | null
}

/** The result of an event, as stored: a payment report, which has an outcome of its own, or an outcome (`fate`). */
export type Outcome =
  | { reportId: number; fate: null; reason: null }
  | { reportId: null; fate: EventOutcome; reason: EventReason | ReasonCode }

type EventKey = Pick<StoredEvent, 'programId' | 'processor' | 'scope' | 'eventId'>
type StoredId = EventKey & { id: number }

const nameOf = ({ programId, processor, scope, eventId }: EventKey) => [programId, processor, scope, eventId].join(' ')

/** Stores events and fills in their IDs. Concurrent deliveries wait here for the first. */
export const storeEvents = async (tx: Tx, events: StoredEvent[]) => {
  const column = columnsOf(
    events.map(({ livemode, outcome, ...event }) => ({
      ...event,
      livemode: String(livemode),
      fate: outcome?.fate ?? null,
      reason: outcome?.reason ?? null,
    })),
  )
  const { rows } = await sql<StoredId>`
    INSERT INTO processor_events (program_id, endpoint_program_id, processor, scope, event_id, type, account_id, livemode, api_version,
      created_at, received_at, payload, fate, reason)
    SELECT program_id, endpoint_program_id, processor, scope, event_id, type, account_id, livemode::boolean, api_version, created_at,
      received_at, payload, fate, reason
    FROM unnest(${column('programId', 'integer')}, ${column('endpointProgramId', 'integer')}, ${column('processor', 'text')},
      ${column('scope', 'text')}, ${column('eventId', 'text')},
      ${column('type', 'text')}, ${column('accountId', 'text')}, ${column('livemode', 'text')}, ${column('apiVersion', 'text')},
      ${column('createdAt', 'timestamptz')}, ${column('receivedAt', 'timestamptz')}, ${column('payload', 'bytea')},
      ${column('fate', 'text')}, ${column('reason', 'text')})
      AS event(program_id, endpoint_program_id, processor, scope, event_id, type, account_id, livemode, api_version, created_at, received_at,
        payload, fate, reason)
    ORDER BY program_id, processor, scope, event_id
    ON CONFLICT (program_id, processor, scope, event_id) DO NOTHING
    RETURNING program_id, processor, scope, event_id, id`.execute(tx)
  const ids = new Map(rows.map((row) => [nameOf(row), row.id]))
  for (const event of events) event.id = ids.get(nameOf(event)) ?? null
}

type RetryLookup = { programId: number; event: IncomingEvent; reasons: EventReason[] }

/** Locks a stored event that had no effect for one of these reasons, so that a new delivery can retry it. */
export const lockForRetry = async (tx: Tx, { programId, event, reasons }: RetryLookup) => {
  const row = await tx
    .selectFrom('processorEvents')
    .select('id')
    .where('programId', '=', programId)
    .where('processor', '=', event.processor)
    .where('scope', '=', event.scope ?? '')
    .where('eventId', '=', event.id)
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

type EventRange = { programId: number; since: Date; after: number | null; limit: number }

/** A page of stored events since a time, oldest first, and how many follow. */
export const listEventsSince = async (tx: Tx, { programId, since, after, limit }: EventRange) => {
  const start = after === null ? null : await findPosition(tx, { programId, id: after })
  const all = tx
    .selectFrom('processorEvents')
    .where('programId', '=', programId)
    .where('createdAt', '>=', since)
    .$if(start !== null, (query) =>
      query.where(sql<boolean>`(created_at, id) > (${start?.createdAt}::timestamptz, ${start?.id}::bigint)`),
    )
  const rows = await all
    .select([
      'id',
      'processor',
      'endpointProgramId',
      'eventId',
      'livemode',
      'type',
      'payload',
      'receivedAt',
      'reportId',
      'fate',
      'reason',
    ])
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .execute()
  const { total } = await all.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, remaining: total - rows.length }
}

export type ReplayedEvent = Awaited<ReturnType<typeof listEventsSince>>['rows'][number]

const findPosition = async (tx: Tx, { programId, id }: { programId: number; id: number }) => {
  const row = await tx
    .selectFrom('processorEvents')
    .select(['id', 'createdAt'])
    .where('programId', '=', programId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** Which of these events were received before. */
export const findKnownEvents = async (
  db: Database,
  { programId, processor, eventIds }: { programId: number; processor: string; eventIds: string[] },
) => {
  if (eventIds.length === 0) return new Set<string>()
  const rows = await db
    .selectFrom('processorEvents')
    .select('eventId')
    .where('programId', '=', programId)
    .where('processor', '=', processor)
    .where('eventId', '=', anyOfTexts(eventIds))
    .execute()
  return new Set(rows.map(({ eventId }) => eventId))
}

type Redaction = { programId: number; id: number; payload: Buffer; at: Date }

/** The database lets us change a payload only through this function, which marks the row as redacted (0005-payments.sql). */
export const redactStoredEvent = (tx: Tx, { programId, id, payload, at }: Redaction) =>
  sql`SELECT redact_event(${programId}, ${id}, ${payload}, ${at})`.execute(tx)
