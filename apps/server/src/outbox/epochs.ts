import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'

/**
 * Begins a new epoch for every program, after a restore: the sequences that follow may be those of other events, which consumers have
 * read before. New events also get new IDs, because receivers use them to skip duplicates. A thousand events per millisecond would be
 * needed to reach an ID that a later restore begins with.
 */
export const beginEpoch = async (tx: Tx) => {
  const { rows } = await sql<{ epoch: number }>`
    SELECT greatest(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, max(epoch) + 1) AS epoch
    FROM outbox_epochs`.execute(tx)
  const epoch = rows[0]?.epoch ?? 0
  await sql`
    INSERT INTO outbox_epochs (program_id, epoch, after)
    SELECT program.id, ${epoch}, coalesce(head.sequence, 0)
    FROM programs program LEFT JOIN outbox_heads head ON head.program_id = program.id`.execute(tx)
  await sql`
    SELECT setval(sequence.name, greatest(nextval(sequence.name), ${epoch}::bigint * 1000))
    FROM (SELECT pg_get_serial_sequence('outbox_events', 'id')::regclass AS name) sequence`.execute(tx)
}

/** SQL expression: the epoch of a program's newest events. */
export const currentEpoch = (programId: RawBuilder<unknown>) => sql<number>`
  (SELECT coalesce(max(epoch), 0) FROM outbox_epochs WHERE program_id = ${programId})`

/**
 * SQL expression: the last sequence that a consumer of the epoch has in common with the stored events; null if that is the current
 * epoch. A consumer of an unknown epoch has none in common: a later restore went back behind it.
 */
export const lastInCommon = (programId: RawBuilder<unknown>, epoch: RawBuilder<unknown>) => sql<number | null>`
  (SELECT CASE WHEN ${epoch} = 0 OR bool_or(epoch = ${epoch}) THEN min(after) FILTER (WHERE epoch > ${epoch}) ELSE -1 END
    FROM outbox_epochs WHERE program_id = ${programId})`
