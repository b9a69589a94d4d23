import type pg from 'pg'
import { StartupError } from '../config/startup-error.ts'
import { overloaded } from '../refusal.ts'
import { APP_ROLE, type Database, openPool } from './connect.ts'
import { openKysely } from './kysely.ts'
import { DASHBOARD_NAME } from './schema/installed.ts'
import type { SchemaMismatch } from './schema/own-migrations.ts'
import { prepared, statementNames } from './sql/prepared.ts'

/** Shared by all workers; each gets at least three, so that one slow query never blocks the rest. */
const TOTAL_CONNECTIONS = 24
const MAX_PER_PROCESS = 8
const MIN_PER_PROCESS = 3

/** About as many as a slow disk can serve within the connection timeout of two seconds (connect.ts). */
const MAX_MONEY_WAITING = 1_000
const MAX_DASHBOARD_WAITING = 200
/** Calls wait for a lock for longer than this too, but without holding a connection (merchant-turns.ts). */
export const MONEY_LOCK_TIMEOUT_MS = 300
/** One claims deliveries, the other records their results. */
const DELIVERY_CONNECTIONS = 2

/** Click writers, and the connection for notifications. */
const CLICKS_AND_NOTIFICATIONS = 3
/** Three for recurring jobs, two for maintenance, one for migrations. */
const PER_INSTANCE = 6

const connectionsPerPool = (workers: number) =>
  Math.max(MIN_PER_PROCESS, Math.min(MAX_PER_PROCESS, Math.ceil(TOTAL_CONNECTIONS / workers)))

/** How many connections an instance opens at most. */
export const connectionsPerNode = (workers: number) =>
  workers * (3 * connectionsPerPool(workers) + DELIVERY_CONNECTIONS + CLICKS_AND_NOTIFICATIONS) + PER_INSTANCE

type Options = {
  workers: number
  clickWriters: number
  /** A replica for reports. */
  readUrl?: string | null
  connectionWaitMs?: number
  onMismatch?: (mismatch: SchemaMismatch) => void
}

/**
 * Separate pools, so that one kind of load cannot starve another: clicks arrive in floods, sales and processor events must get through
 * them, and dashboard queries can be heavy.
 */
export const openPools = (url: string, { workers, clickWriters, readUrl, ...common }: Options) => {
  const max = connectionsPerPool(workers)
  const clicks = openPool(url, { max: clickWriters, name: 'tributary clicks', role: APP_ROLE, ...common })
  const shared = { max, role: APP_ROLE, hasOwnTimeouts: true, ...common }
  const money = openPool(url, { ...shared, name: 'tributary money' })
  const processor = openPool(url, { ...shared, name: 'tributary processor' })
  const deliveries = openPool(url, { ...shared, max: DELIVERY_CONNECTIONS, name: 'tributary deliveries' })
  const dashboard = openPool(url, { ...shared, name: DASHBOARD_NAME })
  // Its schema follows the primary's a moment later, so a mismatch is no reason to stop.
  const replica = readUrl ? openPool(readUrl, { ...shared, onMismatch: undefined, name: 'tributary reports' }) : null
  const all = { clicks, money, processor, deliveries, dashboard, ...(replica && { replica }) }
  return {
    clicks,
    db: withQueueLimit(dashboard, MAX_DASHBOARD_WAITING),
    moneyDb: withQueueLimit(money, MAX_MONEY_WAITING, MONEY_LOCK_TIMEOUT_MS),
    processorDb: withQueueLimit(processor, MAX_MONEY_WAITING, MONEY_LOCK_TIMEOUT_MS),
    deliveryDb: withQueueLimit(deliveries, MAX_DASHBOARD_WAITING),
    replicaDb: replica && withQueueLimit(replica, MAX_DASHBOARD_WAITING),
    all,
    check: () => checkPool(dashboard),
    end: () => Promise.all(Object.values(all).map((pool) => pool.end())),
  }
}

/** Runs before the first request; all pools sign in alike. Waits out an unreachable database, but not an unsuitable one. */
const checkPool = async (pool: pg.Pool) => {
  try {
    const client = await pool.connect()
    client.release()
  } catch (error) {
    if (error instanceof StartupError) throw error
  }
}

const CONNECT_TIMEOUT = /timeout exceeded when trying to connect/

/** `pg` queues without limit; we refuse callers that we could not serve in time. */
const withQueueLimit = (pool: pg.Pool, maxWaiting: number, lockTimeoutMs?: number): Database => {
  const nameOf = statementNames()
  const connect = async () => {
    if (pool.waitingCount >= maxWaiting) throw overloaded('connections_queue_full')
    const isBusy = pool.totalCount > 0 && pool.idleCount === 0
    try {
      return prepared(await pool.connect(), nameOf)
    } catch (error) {
      // All connections were busy, so the cause is our load and not an unreachable database.
      if (isBusy && error instanceof Error && CONNECT_TIMEOUT.test(error.message)) throw overloaded('connections_delay')
      throw error
    }
  }
  return openKysely({ connect, end: () => pool.end() }, { lockTimeoutMs })
}
