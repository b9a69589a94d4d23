import { type EventType, TEST_ORIGINS, type TestOrigin } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'

/**
 * The newest of each type and origin stay forever: the status endpoint counts them, and the setup page looks for one from the
 * merchant, which unauthenticated tests must not displace. Others stay for a month, up to what a list shows.
 */
const ALWAYS_KEPT = 100
const MAX_KEPT = 1_000
const KEPT_DAYS = 30
const BATCH = 2_000
const DAY_MS = 86_400_000

/** A null origin claims to be the dashboard's check but was sent without a member's session (http/public/test-origin.ts). */
type TestKind = { type: EventType; origin: TestOrigin | null }

/** Anyone can create test events, so old ones are deleted, in batches. */
export const purgeTestEvents = async (db: Database, at: Date) => {
  const before = new Date(at.getTime() - KEPT_DAYS * DAY_MS)
  const ofKind = sql`program_id = program.id AND event_type = kind.type AND origin IS NOT DISTINCT FROM kind.origin`
  const newest = (offset: number) => sql`coalesce((
    SELECT id FROM test_events WHERE ${ofKind} ORDER BY id DESC OFFSET ${sql.lit(offset)} LIMIT 1), 0)`
  const { rows } = await sql<TestKind & { programId: number; beyond: number; farBeyond: number }>`
    SELECT program.id AS program_id, kind.*, ${newest(ALWAYS_KEPT)} AS beyond, ${newest(MAX_KEPT)} AS far_beyond
    FROM programs program CROSS JOIN (
      SELECT type, origin FROM unnest(ARRAY['click', 'lead', 'sale']) AS type
      CROSS JOIN unnest(array_append(${[...TEST_ORIGINS]}::text[], NULL)) AS origin) kind
    WHERE EXISTS (SELECT FROM test_events WHERE ${ofKind} AND id <= ${newest(ALWAYS_KEPT)})`.execute(db)
  for (const { programId, type, origin, beyond, farBeyond } of rows) {
    let deleted = BATCH
    while (deleted === BATCH) {
      const { numAffectedRows } = await sql`
        DELETE FROM test_events WHERE program_id = ${programId} AND id = ANY (ARRAY(
          SELECT id FROM test_events WHERE program_id = ${programId} AND event_type = ${type}
            AND origin IS NOT DISTINCT FROM ${origin} AND id <= ${beyond}
            AND (id <= ${farBeyond} OR created_at < ${before}) ORDER BY id LIMIT ${sql.lit(BATCH)}))`.execute(db)
      deleted = Number(numAffectedRows ?? 0)
    }
  }
}
