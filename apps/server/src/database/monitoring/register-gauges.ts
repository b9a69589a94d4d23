import type pg from 'pg'
import type { Clock } from '../../clock.ts'
import type { Metrics } from '../../metrics.ts'
import { findInstanceArchivedUntil } from '../archive/own-archive.ts'
import { findLastBackup } from '../backup/last-backup.ts'
import type { Database } from '../connect.ts'
import { readDisk } from './disk.ts'
import { type Backlogs, readBacklogs } from './read-backlogs.ts'

/** Anyone who reaches /metrics can ask for it, and each process of an instance asks the database. */
const FRESH_MS = 10_000

const BACKLOGS: Record<keyof Backlogs, [name: string, help: string]> = {
  databaseBytes: ['database_bytes', 'Size of the database'],
  unassignedEvents: [
    'processor_unassigned_events',
    'Processor events of accounts that are not connected, up to 10,000',
  ],
  unsequencedEvents: ['events_unsequenced', 'Events that wait for their sequence, up to 10,000'],
  pendingDeliveries: [
    'webhook_deliveries_pending',
    'Webhook deliveries to enabled endpoints that are not done, up to 10,000',
  ],
  deliveryDelaySeconds: ['webhook_delay_seconds', 'How long the first due webhook delivery is overdue'],
  sealDelaySeconds: ['ledger_seal_delay_seconds', 'Time since the last seal of a program with unsealed ledger lines'],
  rollUpDelaySeconds: ['roll_up_delay_seconds', 'Age of the oldest roll-up of counts'],
}

type Options = { db: Database; dataDir: string; archiveDir: string | null; clock: Clock }

/** Gauges of the whole instance. Every process reports the same values, so the highest is used. */
export const registerInstanceGauges = (metrics: Metrics, { db, dataDir, archiveDir, clock }: Options) => {
  const read = remember(clock, () => readBacklogs(db).catch(() => null))
  metrics.gauge('database_up', 'Whether the database answers', async () => ((await read()) ? 1 : 0), 'min')
  for (const [key, [name, help]] of Object.entries(BACKLOGS))
    metrics.gauge(name, help, async () => (await read())?.[key as keyof Backlogs] ?? null, 'max')
  metrics.gauge(
    'disk_free_bytes',
    'Free space of the disk with the data',
    () => readDisk(dataDir)?.freeBytes ?? null,
    'min',
  )
  metrics.gauge('disk_bytes', 'Size of the disk with the data', () => readDisk(dataDir)?.totalBytes ?? null, 'max')
  metrics.gauge(
    'last_backup_timestamp_seconds',
    'When the last backup was made; 0 if never',
    () => (findLastBackup(dataDir)?.at.getTime() ?? 0) / 1000,
    'max',
  )
  if (archiveDir)
    metrics.gauge(
      'archived_until_timestamp_seconds',
      'Everything committed by then is in ARCHIVE_DIR; 0 if nothing',
      () => (findInstanceArchivedUntil(archiveDir, dataDir)?.getTime() ?? 0) / 1000,
      'max',
    )
}

/** Repeats the last result of `work` while it is fresh. */
export const remember = <Value>(clock: Clock, work: () => Promise<Value>, freshMs = FRESH_MS) => {
  let latest: { at: number; value: Promise<Value> } | null = null
  return () => {
    const now = clock().getTime()
    if (!latest || Math.abs(now - latest.at) >= freshMs) latest = { at: now, value: work() }
    return latest.value
  }
}

type Queue = { waiting(): number }
type GaugeSources = { clicks: Queue & { delayMs(): number }; leads: Queue; sales: Queue; pools: pg.Pool[] }

/** Gauges of this process. */
export const registerGauges = (metrics: Metrics, { clicks, leads, sales, pools }: GaugeSources) => {
  const sum = (read: (pool: pg.Pool) => number) => () => pools.reduce((total, pool) => total + read(pool), 0)
  metrics.gauge('click_queue_depth', 'Clicks waiting for a writer', clicks.waiting)
  metrics.gauge('lead_queue_depth', 'Leads waiting for a transaction', leads.waiting)
  metrics.gauge('sale_queue_depth', 'Sales waiting for a transaction', sales.waiting)
  metrics.gauge('click_queue_seconds', 'Age of the oldest queued click', () => clicks.delayMs() / 1000, 'max')
  metrics.gauge(
    'database_connections',
    'Open database connections',
    sum((pool) => pool.totalCount),
  )
  metrics.gauge(
    'database_connections_idle',
    'Idle database connections',
    sum((pool) => pool.idleCount),
  )
  metrics.gauge(
    'database_waiting',
    'Requests waiting for a database connection',
    sum((pool) => pool.waitingCount),
  )
  metrics.gauge('memory_bytes', 'Resident memory of this process', () => process.memoryUsage.rss())
}
