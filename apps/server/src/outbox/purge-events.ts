import { EVENT_RETENTION_DAYS } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { markEnded } from './payable-marks.ts'

const DAY_MS = 86_400_000
const MAX_ROWS = 1_000

type Purge = {
  /** The database's time (webhooks/time.ts), as `inserted_at` is. */
  at: Date
  /** The first sequence that must be kept although it is old, such as one that waits to be sent. */
  findFirstNeeded: (tx: Tx, programId: number) => Promise<number | null>
}

/** Deletes old events from the beginning of each program, so that the rest has no gap. */
export const purgeEvents = async (db: Database, { at, findFirstNeeded }: Purge) => {
  const before = new Date(at.getTime() - EVENT_RETENTION_DAYS * DAY_MS)
  const heads = await db.selectFrom('outboxHeads').select('programId').orderBy('programId').execute()
  for (const { programId } of heads) while (await purgeSome(db, { programId, before, findFirstNeeded }));
}

/** Begins the log of a new program: what the transaction has written so far is history, not news. Call it before the commit. */
export const forgetHistory = async (tx: Tx, { programId, at }: { programId: number; at: Date }) => {
  await tx.deleteFrom('outboxEvents').where('programId', '=', programId).execute()
  await tx.insertInto('outboxHeads').values({ programId, payableUntil: at }).execute()
  await markEnded(tx, { programId, at })
}

type Scope = Pick<Purge, 'findFirstNeeded'> & { programId: number; before: Date }

/** True if more may be left. */
const purgeSome = (db: Database, { programId, before, findFirstNeeded }: Scope) =>
  inTransaction(db, async (tx) => {
    const { rows } = await sql<{ upTo: number | null }>`
      WITH head AS (SELECT kept_after FROM outbox_heads WHERE program_id = ${programId} FOR UPDATE)
      SELECT coalesce(min(sequence) FILTER (WHERE inserted_at >= ${before}) - 1, max(sequence)) AS up_to FROM (
        SELECT event.sequence, event.inserted_at FROM head CROSS JOIN LATERAL (
          SELECT sequence, inserted_at FROM outbox_events
          WHERE program_id = ${programId} AND sequence > head.kept_after ORDER BY sequence LIMIT ${sql.lit(MAX_ROWS)}) event) oldest`.execute(
      tx,
    )
    const old = rows[0]?.upTo ?? null
    if (old === null) return false
    const needed = await findFirstNeeded(tx, programId)
    const upTo = needed === null ? old : Math.min(old, needed - 1)
    const { numDeletedRows } = await tx
      .deleteFrom('outboxEvents')
      .where('programId', '=', programId)
      .where('sequence', '<=', upTo)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return false
    await tx.updateTable('outboxHeads').set({ keptAfter: upTo }).where('programId', '=', programId).execute()
    return numDeletedRows === BigInt(MAX_ROWS)
  })
