import type { PublishedEvent, PublishedEventType } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'
import { eventIdOf } from './events.ts'

type Row = {
  id: number
  sequence: number
  type: PublishedEventType
  occurredAt: Date
  data: Record<string, unknown>
  changes: PublishedEvent['changes'] | null
}

/** The event as receivers get it. */
export const toPublishedEvent = (programId: number, row: Row): PublishedEvent =>
  ({
    id: eventIdOf({ programId, id: row.id }),
    sequence: row.sequence,
    type: row.type,
    timestamp: row.occurredAt.toISOString(),
    data: row.data,
    ...(row.changes && { changes: row.changes }),
  }) as PublishedEvent

/** `after` is null for a new consumer, who starts with the oldest stored event. */
type Page = { programId: number; after: number | null; limit: number }

/** The events after a sequence, in order. Refuses a caller who would miss deleted events, or who has events that are not ours. */
export const readEvents = async (db: Database | Tx, { programId, after, limit }: Page) => {
  const head = await db
    .selectFrom('outboxHeads')
    .select(['sequence', 'keptAfter'])
    .where('programId', '=', programId)
    .executeTakeFirst()
  if (head && after !== null && after < head.keptAfter) throw expired(head.keptAfter)
  const last = head?.sequence ?? 0
  if (after !== null && after > last) throw ahead(after, last)
  const { rows } = await sql<Row>`
    SELECT id, sequence, type, occurred_at, data, changes FROM outbox_events
    WHERE program_id = ${programId} AND sequence > ${after ?? 0} ORDER BY sequence LIMIT ${limit + 1}`.execute(db)
  const [first] = rows
  // Deleted between the two statements.
  if (first && after !== null && first.sequence !== after + 1) throw expired(first.sequence - 1)
  const events = rows.slice(0, limit).map((row) => toPublishedEvent(programId, row))
  return { events, hasMore: rows.length > limit }
}

const expired = (keptAfter: number) =>
  new Refusal(
    'events_expired',
    `Events up to ${keptAfter} are no longer stored, so some would be missing. Read the current state from the API, then continue with after=${keptAfter}.`,
    { field: 'after' },
  )

/** Later events would get sequences that the caller believes to have. */
const ahead = (after: number, last: number) =>
  new Refusal(
    'events_ahead',
    `\`after\` is ${after}, but the last event has sequence ${last}. If the service was restored from a backup, read the current state from the API, then continue with after=${last}.`,
    { field: 'after' },
  )
