import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'

type Check = { programId: number; found: (difference: string) => void }

/** Stored events must run from the oldest one kept to the head without gaps: a gap is an event that someone removed. */
export const verifySequences = async (tx: Tx, { programId, found }: Check) => {
  const { rows } = await sql<{ keptAfter: number; head: number; stored: number; last: number }>`
    SELECT coalesce(max(head.kept_after), 0) AS kept_after, coalesce(max(head.sequence), 0) AS head, count(event.id) AS stored,
      coalesce(max(event.sequence), max(head.sequence), 0) AS last
    FROM (SELECT ${programId}::integer AS program_id) program
    LEFT JOIN outbox_heads head ON head.program_id = program.program_id
    LEFT JOIN outbox_events event ON event.program_id = program.program_id AND event.sequence IS NOT NULL`.execute(tx)
  const [row] = rows
  if (!row) return
  const expected = row.head - row.keptAfter
  if (row.stored !== expected) found(`${row.stored} events are stored, but the sequence says ${expected}`)
  else if (row.last !== row.head) found(`the last event has sequence ${row.last}, but the head is ${row.head}`)
}
