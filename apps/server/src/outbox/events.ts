import type { PublishedEventData, PublishedEventType } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import { columnsOf } from '../database/sql/columns.ts'
import type { Tx } from '../database/transaction.ts'

export type NewEvent<Type extends PublishedEventType = PublishedEventType> = {
  programId: number
  type: Type
  at: Date
  data: PublishedEventData[Type]
  changes?: Record<string, [unknown, unknown]> | null
}

const MAX_ROWS = 1_000

/** Writes events in the transaction of the changes they describe. They get their sequence after the commit. */
export const publish = async (tx: Tx, events: NewEvent[]) => {
  for (let from = 0; from < events.length; from += MAX_ROWS) {
    const rows = events.slice(from, from + MAX_ROWS).map(toRow)
    const column = columnsOf(rows)
    await sql`${insertEvents(sql`
      SELECT program_id, type, at, data::json, changes::json, NULL::json, customer_key
      FROM unnest(${column('programId', 'integer')}, ${column('type', 'text')}, ${column('at', 'timestamptz')},
        ${column('data', 'text')}, ${column('changes', 'text')}, ${column('customerKey', 'text')})
        WITH ORDINALITY AS event(program_id, type, at, data, changes, customer_key, position) ORDER BY position`)}`.execute(
      tx,
    )
  }
}

const toRow = ({ programId, type, at, data, changes }: NewEvent) => ({
  programId,
  type,
  at,
  data: JSON.stringify(data),
  changes: changes ? JSON.stringify(changes) : null,
  customerKey: 'customerKey' in data ? data.customerKey : null,
})

/**
 * Part of a statement that writes events together with what they describe. `rows` selects program, type, time, data, changes,
 * customer and customer key, in the order of the events.
 */
export const insertEvents = (rows: RawBuilder<unknown>) => sql`
  INSERT INTO outbox_events (program_id, type, occurred_at, data, changes, customer, customer_key) ${rows}`

/** SQL fragment: a time as the API writes it. */
export const isoTime = (column: RawBuilder<unknown>) =>
  sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

export const eventIdOf = ({ programId, id }: { programId: number; id: number }) => `evt_${programId}_${id}`
