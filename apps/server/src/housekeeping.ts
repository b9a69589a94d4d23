import type { Clock } from './clock.ts'
import { asOwner } from './database/as-owner.ts'
import { APP_ROLE, openDatabase, openPool } from './database/connect.ts'
import { ensurePartitionsLater } from './database/partitions.ts'
import { dropOldClicks } from './database/retention.ts'
import { analyseTables, findYoungTables } from './database/young-tables.ts'
import { rollUpAll } from './events/roll-up-all.ts'
import type { Log } from './log.ts'
import { sealAll } from './money/seal.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const YOUNG_MS = 2_000

type Options = { databaseUrl: string; clock: Clock; log: Log; retentionDays: number | null }

/** What recurs, in one process of an instance: the only one, or the parent of the workers. */
export const keepHouse = ({ databaseUrl, clock, log, retentionDays: days }: Options) => {
  const pool = openPool(databaseUrl, { max: 1, name: 'tributary housekeeping', role: APP_ROLE })
  const db = openDatabase(pool)
  const timers = [
    // Making tables is the owner's business, not the application's.
    every(HOUR_MS, log, 'partitions not made yet', () =>
      asOwner(databaseUrl, (owner) => ensurePartitionsLater(owner, { at: clock() })),
    ),
    every(HOUR_MS, log, 'old clicks not dropped yet', async () => {
      if (days !== null) await asOwner(databaseUrl, (owner) => dropOldClicks(owner, { days, at: clock() }))
    }),
    every(YOUNG_MS, log, 'young tables not analysed yet', async () => {
      const tables = await findYoungTables(db)
      if (tables.length > 0) await asOwner(databaseUrl, (owner) => analyseTables(owner, tables))
    }),
    every(MINUTE_MS, log, 'ledger not sealed yet', () => sealAll(db, clock())),
    every(10 * MINUTE_MS, log, 'counts not rolled up yet', () => rollUpAll(db, clock)),
  ]
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      await pool.end()
    },
  }
}

/** Work that may fail in bad weather and is simply done the next time. */
const every = (milliseconds: number, log: Log, failure: string, work: () => Promise<unknown>) =>
  setInterval(() => {
    work().catch((error: Error) => log.warn({ error: error.message }, failure))
  }, milliseconds)
