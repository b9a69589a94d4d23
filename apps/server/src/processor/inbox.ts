import type { EventFate, EventReason, ReasonCode } from '@tributary/contract'
import { sql } from 'kysely'
import { anyOfTexts } from '../database/any-of.ts'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'

export type KeptEvent = {
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
}

/** What became of an event: a report about a payment, which has a fate of its own, or a fate. */
export type Outcome =
  | { reportId: number; fate: null; reason: null }
  | { reportId: null; fate: EventFate; reason: EventReason | ReasonCode }

/** Null where it was kept before. Of several deliveries at once, the others wait here for the first. */
export const keepEvent = async (tx: Tx, event: KeptEvent) => {
  const row = await tx
    .insertInto('processorEvents')
    .values(event)
    .onConflict((conflict) => conflict.columns(['programId', 'eventId']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

type Again = { programId: number; eventId: string; reasons: EventReason[] }

/** An event that was kept and came to nothing for one of these reasons: whoever brings it again gives it another try. */
export const lockToTryAgain = async (tx: Tx, { programId, eventId, reasons }: Again) => {
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

export const decideEvent = async (
  tx: Tx,
  { programId, id, ...outcome }: { programId: number; id: number } & Outcome,
) => {
  await tx.updateTable('processorEvents').set(outcome).where('programId', '=', programId).where('id', '=', id).execute()
}

type From = { programId: number; since: Date; after: string | null; limit: number }

/** Kept events from a time on, oldest first, after the one with that id; and how many more there are. */
export const eventsFrom = async (tx: Tx, { programId, since, after, limit }: From) => {
  const start = after === null ? null : await placeOf(tx, { programId, eventId: after })
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

export type ReplayedEvent = Awaited<ReturnType<typeof eventsFrom>>['rows'][number]

const placeOf = async (tx: Tx, { programId, eventId }: { programId: number; eventId: string }) => {
  const row = await tx
    .selectFrom('processorEvents')
    .select(['id', 'createdAt'])
    .where('programId', '=', programId)
    .where('eventId', '=', eventId)
    .executeTakeFirst()
  return row ?? null
}

/** Which of these were kept before: for whoever asks the processor what it has sent. */
export const knownEvents = async (db: Database, { programId, eventIds }: { programId: number; eventIds: string[] }) => {
  if (eventIds.length === 0) return new Set<string>()
  const rows = await db
    .selectFrom('processorEvents')
    .select('eventId')
    .where('programId', '=', programId)
    .where('eventId', '=', anyOfTexts(eventIds))
    .execute()
  return new Set(rows.map(({ eventId }) => eventId))
}

type Redacting = { programId: number; id: number; payload: Buffer; at: Date }

/** By the one way that the database leaves open, which marks the row (0011-erasure.sql). */
export const redactKept = (tx: Tx, { programId, id, payload, at }: Redacting) =>
  sql`SELECT redact_event(${programId}, ${id}, ${payload}, ${at})`.execute(tx)
