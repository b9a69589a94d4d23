import type { Clock } from './clock.ts'
import { purgeVisitors } from './customers/purge-visitors.ts'
import { APP_ROLE, type Database, openDatabase, openPool } from './database/connect.ts'
import { ensurePartitionsLater } from './database/schema/partitions.ts'
import { dropOldClicks, monthOfOldestKept } from './database/schema/retention.ts'
import { analyseTables, findYoungTables } from './database/schema/young-tables.ts'
import { asOwner } from './database/start/as-owner.ts'
import { rollUpAll } from './events/roll-up/roll-up-all.ts'
import { purgeTestEvents } from './events/test-events.ts'
import { purgeIdempotencyKeys } from './idempotency/idempotency-keys.ts'
import { type Log, logHead } from './log.ts'
import { sealAll } from './money/ledger/seal.ts'
import { finishBackfills } from './tracking/sales/backfill-reward.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const YOUNG_MS = 2_000
/** Without RETENTION_DAYS: 400 days, longer than the longest cookie window. */
const VISITORS_KEPT_MS = 400 * 24 * HOUR_MS

type Options = {
  databaseUrl: string
  ownerUrl: string
  clock: Clock
  log: Log
  retentionDays: number | null
  hashKey: string
}

/** What recurs, in one process of an instance: the only one, or the parent of the workers. */
export const keepHouse = ({ databaseUrl, ownerUrl, clock, log, retentionDays: days, hashKey }: Options) => {
  const pool = openPool(databaseUrl, { max: 1, name: 'tributary housekeeping', role: APP_ROLE })
  const db = openDatabase(pool)
  const maintain = (work: (owner: Database) => Promise<unknown>) => asOwner(ownerUrl, work, { schema: true })
  const timers = [
    // Making tables is the owner's business, not the application's.
    every(HOUR_MS, log, 'partitions not made yet', () =>
      maintain((owner) => ensurePartitionsLater(owner, { at: clock() })),
    ),
    every(HOUR_MS, log, 'old clicks not dropped yet', async () => {
      if (days !== null) await maintain((owner) => dropOldClicks(owner, { days, at: clock() }))
    }),
    every(HOUR_MS, log, 'old records not purged yet', () => purgeOldRecords(db, { days, at: clock() })),
    every(YOUNG_MS, log, 'young tables not analysed yet', async () => {
      const tables = await findYoungTables(db)
      if (tables.length > 0) await maintain((owner) => analyseTables(owner, tables))
    }),
    every(MINUTE_MS, log, 'ledger not sealed yet', () => sealAll(db, clock(), logHead(log))),
    every(MINUTE_MS, log, 'rewards not applied to earlier events yet', () => finishBackfills({ db, clock, hashKey })),
    every(10 * MINUTE_MS, log, 'counts not rolled up yet', () => rollUpAll(db, clock)),
  ]
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      await pool.end()
    },
  }
}

/** What anybody can create without a key, and what never became a lead. Its clicks are dropped before the visitor is. */
export const purgeOldRecords = async (db: Database, { days, at }: { days: number | null; at: Date }) => {
  await purgeIdempotencyKeys(db, at)
  await purgeTestEvents(db, at)
  const before = days === null ? new Date(at.getTime() - VISITORS_KEPT_MS) : await monthOfOldestKept(db, { days, at })
  await purgeVisitors(db, { before })
}

/** Work that may fail in bad weather and is simply done the next time. */
const every = (milliseconds: number, log: Log, failure: string, work: () => Promise<unknown>) =>
  setInterval(() => {
    work().catch((error: Error) => log.warn({ error: error.message }, failure))
  }, milliseconds)
