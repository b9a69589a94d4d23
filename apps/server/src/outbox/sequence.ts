import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { runEach } from '../database/run-each.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'

/** The sequences given by one call: all from `after` + 1 to `upTo`. */
export type Sequenced = { programId: number; after: number; upTo: number }

/** Runs in the transaction that gives the sequences, for example to create webhook deliveries. */
export type FanOut = (tx: Tx, sequenced: Sequenced) => Promise<unknown>

/**
 * Bounds a transaction that catches up with a backlog: with twenty endpoints each event has twenty deliveries, and a statement that reaches
 * its timeout would be retried forever.
 */
const MAX_ROWS = 250

/**
 * Gives committed events their sequence, in the order of their IDs and without gaps. The lock on the head makes sequencers of a
 * program wait for each other; writers of events do not take it. An event that commits late gets a sequence after those given
 * meanwhile, although its ID is lower: neither transaction saw the other. Returns whether all events have their sequence now.
 */
export const assignSequences = (db: Database, programId: number, fanOut: FanOut[]): Promise<boolean> =>
  inTransaction(db, (tx) => assignSequencesIn(tx, programId, fanOut))

/** The same in a transaction of the caller, which can number its own events. It holds the lock on the head until it ends. */
export const assignSequencesIn = async (tx: Tx, programId: number, fanOut: FanOut[]): Promise<boolean> => {
  const head = await lockHead(tx, programId)
  // A separate statement, because it must see what committed while we waited for the lock.
  const { rows } = await sql<{ count: number }>`
    WITH waiting AS (
      SELECT id FROM outbox_events WHERE program_id = ${programId} AND sequence IS NULL ORDER BY id LIMIT ${sql.lit(MAX_ROWS)}),
    given AS (
      UPDATE outbox_events SET sequence = ${head}::bigint + numbered.position
      FROM (SELECT id, row_number() OVER (ORDER BY id) AS position FROM waiting) numbered
      WHERE outbox_events.program_id = ${programId} AND outbox_events.id = numbered.id
      RETURNING outbox_events.id)
    SELECT count(*) FROM given`.execute(tx)
  const count = rows[0]?.count ?? 0
  if (count === 0) return true
  const upTo = head + count
  await tx.updateTable('outboxHeads').set({ sequence: upTo }).where('programId', '=', programId).execute()
  for (const work of fanOut) await work(tx, { programId, after: head, upTo })
  return count < MAX_ROWS
}

const lockHead = async (tx: Tx, programId: number) => {
  const find = () =>
    tx.selectFrom('outboxHeads').select('sequence').where('programId', '=', programId).forUpdate().executeTakeFirst()
  const head = await find()
  if (head) return head.sequence
  await tx
    .insertInto('outboxHeads')
    .values({ programId })
    .onConflict((conflict) => conflict.column('programId').doNothing())
    .execute()
  return (await find())?.sequence ?? 0
}

/** Whether any event of the program waits for its sequence. */
export const hasUnsequenced = async (db: Database, programId: number) =>
  Boolean(
    await db
      .selectFrom('outboxEvents')
      .select('id')
      .where('programId', '=', programId)
      .where('sequence', 'is', null)
      .limit(1)
      .executeTakeFirst(),
  )

/** Programs with events that wait for their sequence, one index lookup each. */
const findWaitingPrograms = async (db: Database) => {
  const { rows } = await sql<{ programId: number }>`
    WITH RECURSIVE waiting AS (
      (SELECT program_id FROM outbox_events WHERE sequence IS NULL ORDER BY program_id LIMIT 1)
      UNION ALL
      SELECT (SELECT event.program_id FROM outbox_events event
        WHERE event.sequence IS NULL AND event.program_id > waiting.program_id ORDER BY event.program_id LIMIT 1)
      FROM waiting WHERE waiting.program_id IS NOT NULL)
    SELECT program_id FROM waiting WHERE program_id IS NOT NULL`.execute(db)
  return rows.map(({ programId }) => programId)
}

/**
 * Gives committed events their sequence, one part per program, so that a backlog of one does not hold up the others. One that fails does not
 * either. Returns how many programs had some, and how many have more.
 */
export const sequenceAll = async (db: Database, fanOut: FanOut[]) => {
  const programs = await findWaitingPrograms(db)
  let unfinished = 0
  await runEach(programs, async (programId) => {
    if (!(await assignSequences(db, programId, fanOut))) unfinished++
  })
  return { busy: programs.length, unfinished }
}
