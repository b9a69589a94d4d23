import type { PublishedEvent, PublishedEventType } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'
import { currentEpoch, lastInCommon } from './epochs.ts'
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

/** `after` is null for a new consumer, who starts with the oldest stored event; `epoch`, for one who does not send it. */
export type Page = { programId: number; after: number | null; epoch: number | null; limit: number }

/** The events after a sequence, in order. Refuses a caller who would miss deleted events, or who has events that are not ours. */
export const readEvents = async (db: Database | Tx, { programId, after, epoch, limit }: Page) => {
  const head = await findHead(db, { programId, epoch })
  if (after !== null && after > (head.lastInCommon ?? head.sequence)) throw ahead(after, head)
  if (after !== null && after < head.keptAfter) throw expired(head.keptAfter)
  const { rows } = await sql<Row>`
    SELECT id, sequence, type, occurred_at, data, changes FROM outbox_events
    WHERE program_id = ${programId} AND sequence > ${after ?? 0} ORDER BY sequence LIMIT ${limit + 1}`.execute(db)
  const [first] = rows
  // Deleted between the two statements.
  if (first && after !== null && first.sequence !== after + 1) throw expired(first.sequence - 1)
  const events = rows.slice(0, limit).map((row) => toPublishedEvent(programId, row))
  return { events, hasMore: rows.length > limit, epoch: head.epoch }
}

type Head = { sequence: number; keptAfter: number; epoch: number; lastInCommon: number | null }

const findHead = async (db: Database | Tx, { programId, epoch }: Pick<Page, 'programId' | 'epoch'>) => {
  const id = sql`${programId}::integer`
  const { rows } = await sql<Head>`
    SELECT coalesce(max(sequence), 0) AS sequence, coalesce(max(kept_after), 0) AS kept_after, ${currentEpoch(id)} AS epoch,
      ${epoch === null ? sql`NULL::bigint` : lastInCommon(id, sql`${epoch}::bigint`)} AS last_in_common
    FROM outbox_heads WHERE program_id = ${id}`.execute(db)
  return rows[0] as Head
}

const expired = (keptAfter: number) =>
  new Refusal(
    'events_expired',
    `Events up to ${keptAfter} are no longer stored, so some would be missing. Read the current state from the API, then continue with after=${keptAfter}.`,
    { field: 'after' },
  )

/** The caller has read events with sequences that other events have or will get. */
const ahead = (after: number, { sequence, epoch }: Head) => {
  const problem =
    after > sequence
      ? `\`after\` is ${after}, but the last event has sequence ${sequence}.`
      : `Event ${after} of your epoch is not event ${after} of the current one.`
  const next = epoch === 0 ? `after=${sequence}` : `after=${sequence}&epoch=${epoch}`
  return new Refusal(
    'events_ahead',
    `${problem} If the service was restored from a backup, read the current state from the API, then continue with ${next}.`,
    { field: 'after' },
  )
}
