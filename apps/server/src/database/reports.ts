import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Database } from './connect.ts'

/** What a report reads, and the time up to which it has the data. */
export type ReportSource = { db: Database; at: Date }
export type Reports = (db: Database) => Promise<ReportSource>

/** A standby that has replayed everything it received is up to date, unless its connection to the primary is lost. */
const BEHIND_SECONDS = sql<{ seconds: number }>`
  SELECT CASE
    WHEN NOT pg_is_in_recovery() THEN 0
    WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() AND EXISTS (SELECT FROM pg_stat_wal_receiver) THEN 0
    ELSE extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::float8
  END AS seconds`

type Options = { replica: Database | null; clock: Clock }

/** Reports and exports read the replica, if there is one and it answers. */
export const openReports =
  ({ replica, clock }: Options): Reports =>
  async (db) => {
    const at = clock()
    if (!replica) return { db, at }
    const behind = await BEHIND_SECONDS.execute(replica).then(
      ({ rows }) => rows[0]?.seconds ?? null,
      () => null,
    )
    return behind === null ? { db, at } : { db: replica, at: new Date(at.getTime() - behind * 1_000) }
  }
